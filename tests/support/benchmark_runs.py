"""Runs a packaged benchmark with made-up models: one is always right, one always wrong, one says nothing of use.

A benchmark is one `Benchmark`; where its data is not at hand, `files` holds a few rows in the form of the real file.
"""

import json
from collections.abc import AsyncIterator, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from support.fake_backend import FakeBackend, completion
from support.shared_data import shared_data
from support.specs import model_spec, shard_of

from tasks.data.interface import Row
from tasks.data.loading import DatasetCache
from tasks.data.rows import plan_rows
from tasks.infer.collect import collect
from tasks.infer.inferencers.interface import Limits
from tasks.infer.progress import Progress
from tasks.infer.session import InferSession, build_inferencer
from tasks.models.interface import Likelihood, PromptForm, Request, ScoreRequest
from tasks.prompts.renderer import PromptRenderer
from tasks.score.scoring import score_pair
from tasks.spec.build import build_datasets
from tasks.spec.chat import prompt_text
from tasks.spec.config.lookup import load_named
from tasks.spec.specs import DatasetSpec
from tasks.spec.status import Status
from tasks.spec.storage.run_folder import Pair, RunFolder, read_json
from tasks.spec.values import ConfigDict

LIMIT = 5
"""Samples of each dataset that are asked."""

Say = Callable[[Any, Row], str]
"""From a row's reference (its output column) and the row to what a model answers."""


def letter(gold: Any, row: Row) -> str:
    """Names the right option."""
    return f"The answer is {gold}."


def other_letter(options: str) -> Say:
    """Names the option after the right one."""
    return lambda gold, _row: f"The answer is {options[(options.index(str(gold)) + 1) % len(options)]}."


def boxed(gold: Any, row: Row) -> str:
    """Puts the reference into a box."""
    return f"So it is $\\boxed{{{gold}}}$."


def fixed(text: str) -> Say:
    """Always says the same."""
    return lambda _gold, _row: text


WRONG = fixed("The answer is 987654321.")
JUNK = fixed("Let me think about that for a while.")


@dataclass(frozen=True)
class Benchmark:
    """A packaged data-set configuration, and what answers to it look like."""

    config: str
    """Name of the configuration, as `--datasets` takes it."""
    right: Say = letter
    wrong: Say = WRONG
    junk: Say = JUNK
    metric: str = "accuracy"
    unparsed: bool = True
    """Whether an answer is looked for in the text, and none found in `junk`; False: the whole text is compared."""
    reads_text: bool = False
    """Asks a model that reads plain text: for base variants; sets that compare likelihoods always do."""
    abbrs: tuple[str, ...] = ()
    """Which of the configuration's datasets are run; default: the first and the last."""
    files: Mapping[str, Any] = field(default_factory=dict[str, Any])
    """Self-made data by path below `data/`: a text, or rows of JSON lines; a path is what lies in the shared folder
    under another name; none: all of it lies in the shared folder.
    """


class Rehearsed(FakeBackend):
    """Says what it is told to each prompt; a text's log-likelihood per character is what it is told of it."""

    def __init__(self, form: PromptForm, script: Mapping[str, Any]) -> None:
        super().__init__(lambda prompt: completion(script[prompt]))
        self.prompt_form = form
        self.can_score = form == "text"
        self._script = script

    async def loglikelihood(
        self, requests: AsyncIterator[ScoreRequest], slots: Any = None
    ) -> AsyncIterator[tuple[int, Likelihood]]:
        async for request in requests:
            length = max(len(request.continuation), 1)
            yield (
                request.index,
                Likelihood(Status.OK, self._script[request.context + request.continuation] * length, length),
            )


def run_benchmark(
    benchmark: Benchmark, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, list[dict[str, Any]]]:
    """Results files by model (`right`, `wrong`, `junk`), one for each dataset; likelihoods know no junk."""
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(_data_root(benchmark, folder)))
    specs = specs_of(benchmark)
    scored = build_inferencer(specs[0]).scores
    form: PromptForm = "text" if scored or benchmark.reads_text else "messages"
    says = {"right": benchmark.right, "wrong": benchmark.wrong, **({} if scored else {"junk": benchmark.junk})}
    data = DatasetCache()
    return {name: _results(name, say, form, specs, folder, data) for name, say in says.items()}


def specs_of(benchmark: Benchmark) -> list[DatasetSpec]:
    """The datasets of the benchmark's configuration that are run."""
    specs, findings = build_datasets(ConfigDict(datasets=load_named("datasets", [benchmark.config])))
    assert not findings, findings
    if benchmark.abbrs:
        return [spec for spec in specs if spec.abbr in benchmark.abbrs]
    return [specs[0], specs[-1]] if len(specs) > 1 else specs


def _data_root(benchmark: Benchmark, folder: Path) -> Path:
    """The folder that holds `data/`."""
    if not benchmark.files:
        return shared_data().parent
    for path, content in benchmark.files.items():
        file = folder / "data" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, Path):
            file.symlink_to(shared_data(str(content)))
            continue
        text = content if isinstance(content, str) else "".join(json.dumps(row) + "\n" for row in content)
        file.write_text(text, encoding="utf-8")
    return folder


def _results(
    name: str, say: Say, form: PromptForm, specs: Iterable[DatasetSpec], folder: Path, data: DatasetCache
) -> list[dict[str, Any]]:
    run, model = RunFolder(folder / "run"), model_spec(name)
    script = {text: answer for spec in specs for text, answer in _script(spec, data, say, form, right=name == "right")}
    session = InferSession(run, data=data, progress=Progress())
    session.models._backends[name] = Rehearsed(form, script)
    try:
        return [_result(session, run, spec, data, model) for spec in specs]
    finally:
        session.close()


def _script(
    spec: DatasetSpec, data: DatasetCache, say: Say, form: PromptForm, *, right: bool
) -> list[tuple[str, str | float]]:
    """What to say to each prompt of the rows that are asked, or how likely each text is."""
    loaded = data.load(spec)
    renderer, inferencer = PromptRenderer(spec, loaded, prompt_form=form), build_inferencer(spec)
    script: list[tuple[str, str | float]] = []
    for planned in plan_rows(spec, loaded, LIMIT):
        row = loaded.test[planned.row]
        gold = row[spec.reader.output_column] if spec.reader.output_column else None
        for ask in next(inferencer.dialogue(renderer, planned.row, Limits())):
            request = ask.request
            if isinstance(request, Request):
                script.append((prompt_text(request.prompt), say(gold, row)))
            else:
                likely = (ask.part == str(gold)) is right
                script.append((request.context + request.continuation, -1.0 if likely else -9.0))
    return script


def _result(session: InferSession, run: RunFolder, spec: DatasetSpec, data: DatasetCache, model: Any) -> dict[str, Any]:
    pair, loaded = Pair(model.abbr, spec.abbr), data.load(spec)
    collect(
        run,
        pair,
        spec,
        data=loaded,
        rows=plan_rows(spec, loaded, LIMIT),
        manifests=session.run(shard_of(run.root, model, spec, limit=LIMIT, data=data)),
        inferencer=build_inferencer(spec),
        open_ledger=lambda: session.ledger(pair),
    )
    score_pair(model, spec, run, limit=LIMIT)
    return read_json(run.results(pair))
