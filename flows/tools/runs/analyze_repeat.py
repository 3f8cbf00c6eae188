"""`compass analyze-repeat`: answers of a run that repeat themselves without end, reasoning and content apart."""

import argparse
from collections.abc import Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from flows.output.console import out, say
from flows.tools.runs.run_choice import add_run_arguments, chosen_run
from tasks.report.repetition.analysis import WHOLE, analyse_repeats, reasoning_and_content, table_of, write_analysis
from tasks.spec.findings import UserError
from tasks.spec.storage.run_folder import Pair, RunFolder, timestamp


def main(argv: Sequence[str]) -> int:
    """Shows the table and writes `summary/repeat_analysis_<time>.json`."""
    parser = argparse.ArgumentParser(
        prog="compass analyze-repeat", description="Finds answers that repeat themselves without end."
    )
    add_run_arguments(parser)
    parser.add_argument("--model", default="*", metavar="PATTERN", help="only these models")
    parser.add_argument("--dataset", default="*", metavar="PATTERN", help="only these datasets")
    parser.add_argument(
        "--tokenizer", default="gpt-4o", metavar="NAME", help="what lengths are counted by (%(default)s)"
    )
    parser.add_argument("--think-tag", default="</think>", metavar="TAG", help="ends the reasoning (%(default)s)")
    parser.add_argument("--out", metavar="FILE", help="instead of the file in the run folder")
    parser.add_argument("--no-progress", action="store_true", help="do not name each pair when it is done")
    parser.add_argument("--batch-size", type=int, help=argparse.SUPPRESS)  # answers are read one by one
    arguments = parser.parse_args(argv)
    folder = chosen_run(arguments)
    pairs = [
        pair for pair in _pairs(folder)
        if fnmatchcase(pair.model, arguments.model) and fnmatchcase(pair.dataset, arguments.dataset)
    ]  # fmt: skip
    if not pairs:
        raise UserError(f"no predictions of such models and datasets in {folder.root}")
    analysis = analyse_repeats(
        folder,
        pairs,
        {pair.model: arguments.tokenizer for pair in pairs},
        [WHOLE, *reasoning_and_content(arguments.think_tag)],
        (lambda _: None) if arguments.no_progress else (lambda pair: say(f"{pair.model} / {pair.dataset}")),
    )
    time = timestamp()
    path = Path(arguments.out) if arguments.out else folder.summary / f"repeat_analysis_{time}.json"
    write_analysis(analysis, folder, path, time)
    out.print(table_of(analysis), markup=False)
    say(f"written: {path}")
    return 0


def _pairs(folder: RunFolder) -> list[Pair]:
    """Pairs with predictions, also in pieces, as their files are named."""
    found: dict[Pair, None] = {}
    for path in sorted((folder.root / "predictions").glob("*/*.json")):
        if path.name.startswith((".", "tmp_")):
            continue
        stem, _, number = path.stem.rpartition("_")
        is_piece = number.isdigit() and path.with_name(f"{stem}_0.json").is_file()
        found[Pair(path.parent.name, stem if is_piece else path.stem)] = None
    return list(found)
