"""`compass cases`: the answers of a run that were wrong, side by side with the reference."""

import argparse
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from typing import Any

from rich.markup import escape

from flows.output.console import out, say
from flows.tools.runs.run_choice import add_run_arguments, chosen_run
from tasks.report.sample_details import sample_details
from tasks.score.files.predictions import Record, read_predictions
from tasks.score.score_error import ScoreError
from tasks.spec.chat import prompt_text
from tasks.spec.findings import UserError
from tasks.spec.storage.run_folder import Pair, RunFolder, write_json

_LONGEST = 2000
"""Characters of a text that are shown."""
_SHOWN = ("pred", "answer", "rule", "status")


def main(argv: Sequence[str]) -> int:
    """Shows some cases of each pair and writes all of them to `case_analysis/` in the run folder."""
    parser = argparse.ArgumentParser(prog="compass cases", description="Wrong answers beside their references.")
    add_run_arguments(parser)
    parser.add_argument("--model", default="*", metavar="PATTERN", help="only these models")
    parser.add_argument("--dataset", default="*", metavar="PATTERN", help="only these datasets")
    parser.add_argument("-c", "--count", type=int, default=3, metavar="N", help="cases shown per pair (%(default)s)")
    parser.add_argument("-f", "--full", action="store_true", help="right answers too")
    arguments = parser.parse_args(argv)
    folder = chosen_run(arguments)
    paths = [
        path
        for path in folder.scored()
        if fnmatchcase(path.parent.name, arguments.model) and fnmatchcase(path.stem, arguments.dataset)
    ]
    if not paths:
        raise UserError(f"no results of such models and datasets in {folder.root}")
    status = 0
    for path in paths:
        pair = Pair(path.parent.name, path.stem)
        try:
            cases = list(read_cases(folder, pair, full=arguments.full))
        except (OSError, ValueError) as error:
            say(f"{path} cannot be read: {error}")
            status = 1
            continue
        kind = "all" if arguments.full else "bad"
        target = folder.root / "case_analysis" / kind / path.parent.name / path.name
        write_json(target, cases)
        for case in cases[: arguments.count]:
            _show(pair, case)
        say(f"{len(cases)} cases: {target}")
    return status


def read_cases(folder: RunFolder, pair: Pair, *, full: bool) -> Iterator[dict[str, Any]]:
    """The cases of a scored pair with their prompts; nothing where there are no details or no verdicts.

    OSError or ValueError if the results cannot be read.
    """
    samples = list(sample_details(folder.results(pair), pair.dataset))
    predictions = _predictions(folder, pair)
    rows = sum(sample.key.repeat == 0 for sample in samples)
    row = -1
    for sample in samples:
        row += sample.key.repeat == 0
        if sample.verdict is None or (sample.verdict and not full):
            continue
        position = row + sample.key.repeat * rows
        record = predictions[position] if position < len(predictions) else {}
        yield {
            "index": position,
            "example_abbr": sample.key.row,
            **sample.fields,
            "prompt": record.get("origin_prompt"),
            "origin": record.get("prediction"),
        }


def _predictions(folder: RunFolder, pair: Pair) -> list[Record]:
    """Repeat by repeat; none where they are gone, since the results tell the case as well."""
    try:
        return list(read_predictions(folder, pair))
    except ScoreError:
        return []


def _show(pair: Pair, case: dict[str, Any]) -> None:
    out.rule(escape(f"{pair.model} on {pair.dataset}, sample {case['index']}"))
    prompt = case.get("prompt")
    out.print(f"[bold]prompt:[/] {escape(_cut(prompt_text(prompt) if isinstance(prompt, list) else str(prompt)))}")
    out.print(f"[bold]prediction:[/] {escape(_cut(str(case.get('origin'))))}")
    for name in _SHOWN:
        if case.get(name) is not None:
            out.print(f"[bold]{name}:[/] {escape(_cut(str(case[name])))}")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
