"""`compass merge`: joins the pieces that OpenCompass leaves of a dataset's predictions."""

import argparse
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from flows.output.console import say
from flows.tools.configs.source_choice import add_source_arguments, request_of
from flows.tools.runs.run_choice import DEFAULT_WORK_DIR
from tasks.infer.collect import write_predictions
from tasks.plan.planner import make_plan
from tasks.plan.run_plan import PairPlan
from tasks.spec.findings import Finding, UserError
from tasks.spec.storage.run_folder import RunFolder, find_run_folder, read_json


def main(argv: Sequence[str]) -> int:
    """Writes `<dataset>.json` for each pair whose pieces are complete; 1 if some are not."""
    parser = argparse.ArgumentParser(prog="compass merge", description="Joins D_0.json, D_1.json, … into D.json.")
    add_source_arguments(parser)
    parser.add_argument("-w", "--work-dir", metavar="DIR", help="parent folder of the runs (default: the config's)")
    parser.add_argument("-r", "--reuse", nargs="?", const="latest", default="latest", metavar="TIME", help="which run")
    parser.add_argument("-c", "--clean", action="store_true", help="delete the pieces afterwards")
    parser.add_argument("-f", "--force", action="store_true", help="replace a file that is there already")
    arguments = parser.parse_args(argv)
    plan = make_plan(request_of(arguments, mode="infer"))
    work_dir = Path(arguments.work_dir).expanduser() if arguments.work_dir else plan.work_dir
    folder = find_run_folder(work_dir or Path(DEFAULT_WORK_DIR), arguments.reuse)
    outcomes = [_merge(folder, pair, force=arguments.force, clean=arguments.clean) for pair in plan.pairs]
    return 0 if all(outcomes) else 1


def _merge(folder: RunFolder, pair: PairPlan, *, force: bool, clean: bool) -> bool:
    target = folder.predictions(pair.pair)
    pieces = _pieces(target)
    name = f"{pair.pair.model}/{pair.pair.dataset}"
    if target.exists() and not force:
        say(f"{name}: {target.name} is there already")
        return True
    if not pieces:
        say(f"{name}: there are no pieces")
        return False
    samples = [sample for piece in pieces for sample in _samples(piece)]
    if pair.samples is not None and len(samples) != pair.samples:
        say(f"{name}: the pieces hold {len(samples)} of {pair.samples} samples; nothing is written")
        return False
    write_predictions(target, iter(samples))
    say(f"{name}: {len(samples)} samples from {len(pieces)} pieces: {target}")
    for piece in pieces if clean else ():
        piece.unlink()
    return True


def _pieces(target: Path) -> list[Path]:
    numbered = re.compile(rf"{re.escape(target.stem)}_(\d+)\.json")
    found = {int(match[1]): path for path in target.parent.glob("*.json") if (match := numbered.fullmatch(path.name))}
    return [found[number] for number in sorted(found)]


def _samples(piece: Path) -> list[Any]:
    try:
        content: dict[str, Any] = read_json(piece)
        return [content[key] for key in sorted(content, key=int)]
    except (ValueError, AttributeError) as error:
        raise UserError(Finding(f"{piece} is no predictions file: {error}")) from None
