"""Run folders with predictions and scores of several models and datasets, for tests of reports and comparisons."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from support.specs import dataset_spec, model_spec, write_rows

from tasks.infer.collect import write_predictions
from tasks.score.scoring import score_pair
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import Pair, RunFolder, read_json, write_json

Answer = Callable[[int], Any]
"""From the number of a sample to a prediction, or to a whole record."""


class ScoredRun(NamedTuple):
    """The first arguments of `summarize` and `write_report`."""

    models: Sequence[ModelSpec]
    datasets: Sequence[DatasetSpec]
    folder: RunFolder


def scored_run(
    root: Path, answers: Mapping[str, Answer], golds: Mapping[str, Sequence[str]], *, repeats: int = 1
) -> ScoredRun:
    """Every model answers every dataset; a row's question is `Question <number>?`."""
    folder = RunFolder(root / "run")
    models = [model_spec(abbr) for abbr in answers]
    datasets = [_dataset(root, abbr, texts, repeats) for abbr, texts in golds.items()]
    for model in models:
        for dataset in datasets:
            count = len(golds[dataset.abbr]) * repeats
            records = (_record(number, answers[model.abbr](number)) for number in range(count))
            write_predictions(folder.predictions(Pair(model.abbr, dataset.abbr)), records)
            score_pair(model, dataset, folder)
    write_json(folder.run_file, {"format": 1, "invocations": [{"started": "2026-01-01", "versions": {"python": "3"}}]})
    return ScoredRun(models, datasets, folder)


def without_seal(results: Path) -> dict[str, Any]:
    """The results file as one that a test may change; ours says by a checksum that it was changed."""
    content = read_json(results)
    del content["compass"]["file_crc32"]
    return content


def _dataset(root: Path, abbr: str, golds: Sequence[str], repeats: int) -> DatasetSpec:
    rows = [{"question": f"Question {number}?", "answer": gold} for number, gold in enumerate(golds)]
    return dataset_spec(write_rows(root / f"rows_{len(abbr)}_{len(golds)}.jsonl", rows), abbr, n=repeats)


def _record(number: int, answer: Any) -> dict[str, Any]:
    usage = {"prompt_tokens": 5, "completion_tokens": 3 + number % 7}
    record = {
        "origin_prompt": [{"role": "HUMAN", "prompt": f"Question {number}?"}],
        "prediction": answer,
        "status": "ok",
        "usage": usage,
        "latency": 0.1 + number % 10 / 10,
    }
    return record | answer if isinstance(answer, dict) else record
