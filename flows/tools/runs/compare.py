"""`compass compare`: models of one run or of several, on the samples they share."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path

from flows.output.console import out, say
from flows.tools.runs.run_choice import DEFAULT_WORK_DIR
from tasks.report.comparison.comparison import Comparison, compare_contestants, contestants
from tasks.report.comparison.comparison_text import as_csv, as_json, as_markdown, as_text
from tasks.spec.findings import Finding, UserError
from tasks.spec.storage.run_folder import find_run_folder, write_atomically


def main(argv: Sequence[str]) -> int:
    """Shows scores with ranks, wins and paired differences; 2 if there are not two models to compare."""
    parser = argparse.ArgumentParser(prog="compass compare", description="Compares models on the samples they share.")
    parser.add_argument("runs", nargs="*", default=["latest"], metavar="RUN", help="folders or timestamps of runs")
    parser.add_argument("--work-dirs", nargs="+", default=[], metavar="DIR", help="the same, in OpenCompass's words")
    parser.add_argument("--cfg-paths", nargs="+", help=argparse.SUPPRESS)  # the folders say what they are about
    parser.add_argument("-w", "--work-dir", default=DEFAULT_WORK_DIR, metavar="DIR", help="parent folder of the runs")
    parser.add_argument("--model", default="*", metavar="PATTERN", help="only these models")
    parser.add_argument("--dataset", default="*", metavar="PATTERN", help="only these datasets")
    parser.add_argument("--metric", metavar="NAME", help="instead of the first that all have")
    parser.add_argument("--baseline", metavar="NAME", help="what the others are compared with (default: the first)")
    parser.add_argument(
        "--group", action="append", default=[], metavar="PATTERN", help="also average these datasets; may be repeated"
    )
    parser.add_argument("-o", "--out", metavar="FILE", help="write .md, .txt, .csv (scores alone) or .json")
    parser.add_argument("--json", action="store_true", help="as JSON on stdout")
    arguments = parser.parse_args(argv)
    comparison = _compare(arguments)
    if arguments.out:
        _write(comparison, Path(arguments.out), arguments.group)
        say(f"written: {arguments.out}")
    elif arguments.json:
        out.print(json.dumps(as_json(comparison), ensure_ascii=False, indent=2), markup=False)
    else:
        out.print(as_text(comparison, arguments.group), markup=False, highlight=False)
    return 0


def _compare(arguments: argparse.Namespace) -> Comparison:
    roots = [_root(name, Path(arguments.work_dir).expanduser()) for name in arguments.work_dirs or arguments.runs]
    entrants = contestants(list(dict.fromkeys(roots)), arguments.model)
    if len(entrants) < 2:
        found = ", ".join(entrant.name for entrant in entrants) or "none"
        raise UserError(Finding(f"two models with results are needed; found: {found}", remedy="name a second run"))
    try:
        comparison = compare_contestants(
            entrants,
            dataset=arguments.dataset,
            metric=arguments.metric,
            baseline=arguments.baseline,
            groups=arguments.group,
        )
    except ValueError as error:
        raise UserError(Finding(str(error))) from error
    if not comparison.datasets:
        raise UserError("no two of these models have results of one dataset under one metric")
    return comparison


def _root(name: str, work_dir: Path) -> Path:
    path = Path(name).expanduser()
    return path if path.is_dir() and name != "latest" else find_run_folder(work_dir, name).root


def _write(comparison: Comparison, path: Path, patterns: Sequence[str]) -> None:
    match path.suffix:
        case ".md":
            text = as_markdown(comparison, patterns)
        case ".txt":
            text = as_text(comparison, patterns) + "\n"
        case ".csv":
            text = as_csv(comparison, patterns)
        case ".json":
            text = json.dumps(as_json(comparison), ensure_ascii=False, indent=2) + "\n"
        case _:
            raise UserError(Finding(f"--out: {path.name} ends in none of .md, .txt, .csv, .json"))
    write_atomically(path, text.encode("utf-8", "backslashreplace"))
