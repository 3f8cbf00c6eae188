"""`compass cases`: the answers of a run that were wrong, side by side with the reference."""

import argparse
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any

from rich.markup import escape

from flows.console import out, say
from flows.tools.run_choice import add_run_arguments, chosen_run
from tasks.score.evaluation import VERDICTS
from tasks.spec.chat import prompt_text
from tasks.spec.findings import UserError
from tasks.spec.run_folder import RunFolder, read_json, write_json

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
    for path in paths:
        cases = list(read_cases(folder, path, full=arguments.full))
        kind = "all" if arguments.full else "bad"
        target = folder.root / "case_analysis" / kind / path.parent.name / path.name
        write_json(target, cases)
        for case in cases[: arguments.count]:
            _show(path, case)
        say(f"{len(cases)} cases: {target}")
    return 0


def read_cases(folder: RunFolder, results: Path, *, full: bool) -> Iterator[dict[str, Any]]:
    """The cases of a results file with their prompts; nothing where it has no details or no verdicts."""
    details = _object(results).get("details") or []
    predictions = list(_object(folder.root / "predictions" / results.parent.name / results.name).values())
    entries = list(details.values()) if isinstance(details, dict) else details
    entries = [entry for entry in entries if isinstance(entry, dict)]
    for index, entry in enumerate(entries):
        for repeat, detail in enumerate(_replicas(entry)):
            verdict = next((detail[name] for name in VERDICTS if name in detail), None)
            if verdict is None or (verdict and not full):
                continue
            position = index + repeat * len(entries)
            sample = predictions[position] if position < len(predictions) else {}
            yield {
                "index": position,
                **detail,
                "prompt": sample.get("origin_prompt"),
                "origin": sample.get("prediction"),
            }


def _replicas(entry: dict[str, Any]) -> list[dict[str, Any]]:
    """A record holds a list of one value per repeat in our files, bare values in those of OpenCompass."""
    name = next((name for name in VERDICTS if name in entry), None)
    verdicts = entry.get(name) if name else None
    if not isinstance(verdicts, list):
        return [entry]
    return [
        {key: value[i] if isinstance(value, list) and i < len(value) else value for key, value in entry.items()}
        for i in range(len(verdicts))
    ]


def _show(path: Path, case: dict[str, Any]) -> None:
    out.rule(escape(f"{path.parent.name} on {path.stem}, sample {case['index']}"))
    prompt = case.get("prompt")
    out.print(f"[bold]prompt:[/] {escape(_cut(prompt_text(prompt) if isinstance(prompt, list) else str(prompt)))}")
    out.print(f"[bold]prediction:[/] {escape(_cut(str(case.get('origin'))))}")
    for name in _SHOWN:
        if case.get(name) is not None:
            out.print(f"[bold]{name}:[/] {escape(_cut(str(case[name])))}")


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"


def _object(path: Path) -> dict[str, Any]:
    try:
        content = read_json(path)
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}
