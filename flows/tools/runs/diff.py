"""`compass diff`: which samples two runs judge differently."""

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rich.markup import escape
from tabulate import tabulate

from flows.output.console import out, say
from flows.tools.runs.run_choice import DEFAULT_WORK_DIR, run_named
from tasks.report.comparison.changed_verdicts import Flip, PairDiff, diff_pairs, pair_diff
from tasks.report.stats.multiple_comparisons import holm
from tasks.spec.findings import Finding, UserError
from tasks.spec.storage.printable import one_line

_LONGEST = 200
_HEADERS = ("model", "dataset", "metric", "rows", "difference", "95% CI", "p", "p, Holm", "now right", "now wrong")


def main(argv: Sequence[str]) -> int:
    """Prints a table of all pairs and the samples that flipped."""
    parser = argparse.ArgumentParser(
        prog="compass diff",
        description="Compares two runs sample by sample: what was right in RUN_A and is wrong in RUN_B, and the other "
        "way round, with the p-value of McNemar's exact test (docs/statistics.md).",
    )
    parser.add_argument("run_a", metavar="RUN_A", help="folder or timestamp of a run, or latest")
    parser.add_argument("run_b", metavar="RUN_B", help="another one")
    parser.add_argument("-w", "--work-dir", default=DEFAULT_WORK_DIR, metavar="DIR", help="parent folder (%(default)s)")
    parser.add_argument(
        "--models",
        nargs=2,
        metavar=("A", "B"),
        help="model of each run, where their names differ and there are several",
    )
    parser.add_argument("-c", "--count", type=int, default=10, metavar="N", help="samples shown per pair (%(default)s)")
    shape = parser.add_mutually_exclusive_group()
    shape.add_argument("--json", action="store_true", help="everything as JSON")
    shape.add_argument("--html", type=Path, metavar="FILE", help="write a page with all of them")
    arguments = parser.parse_args(argv)
    work_dir = Path(arguments.work_dir).expanduser()
    first, second = run_named(arguments.run_a, work_dir), run_named(arguments.run_b, work_dir)
    models = tuple(arguments.models) if arguments.models else None
    diffs = [pair_diff(first, second, *pairs) for pairs in diff_pairs(first, second, models)]
    if not diffs:
        message = f"{first.root} and {second.root} have no scored pair of a model and a dataset in common"
        raise UserError(Finding(message, remedy="name the models: --models A B"))
    if arguments.json:
        out.print(
            json.dumps([_as_json(diff) for diff in diffs], ensure_ascii=False, indent=2, default=str), markup=False
        )
        return 0
    out.print(tabulate(_rows(diffs), headers=_HEADERS, disable_numparse=True), markup=False)
    if arguments.html:
        from tasks.report.page.diff_page import write_diff_page

        write_diff_page(arguments.html, first.name, second.name, diffs)
        say(f"page: {arguments.html}")
        return 0
    for diff in diffs:
        _show(diff, arguments.count)
    say(f"at most {arguments.count} of each are shown: -c N, --json or --html FILE show more")
    return 0


def _rows(diffs: Sequence[PairDiff]) -> list[tuple[str, ...]]:
    """With p-values as they are, and corrected for how many pairs there are."""
    compared = [place for place, diff in enumerate(diffs) if diff.comparison]
    corrected = dict(zip(compared, holm([d.comparison.p_value for d in diffs if d.comparison]), strict=True))
    return [_row(diff, corrected.get(place)) for place, diff in enumerate(diffs)]


def _row(diff: PairDiff, corrected: float | None) -> tuple[str, ...]:
    names = diff.first.model if diff.first.model == diff.second.model else f"{diff.first.model} → {diff.second.model}"
    flipped = [sum(flip.became_right is right for flip in diff.flips) for right in (True, False)]
    found = diff.comparison
    if found is None:
        return (names, diff.first.dataset, diff.metric, "-", diff.reason, "-", "-", "-", *map(str, flipped))
    interval = found.interval.scaled(diff.scale) if found.interval else None
    return (
        names,
        diff.first.dataset,
        diff.metric,
        f"{found.n}" if not diff.changed else f"{found.n} ({diff.changed} with other references)",
        f"{found.difference * diff.scale:+.2f}",
        f"{interval.low:+.2f} to {interval.high:+.2f}" if interval else "-",
        f"{found.p_value:.3g}",
        f"{corrected:.3g}",
        *map(str, flipped),
    )


def _show(diff: PairDiff, count: int) -> None:
    for right, title in ((False, "now wrong"), (True, "now right")):
        flips = [flip for flip in diff.flips if flip.became_right is right]
        if flips and count:
            out.rule(escape(f"{diff.first.model} on {diff.first.dataset}, {title}: {len(flips)}"))
        for flip in flips[:count]:
            out.print(_line(flip), markup=False)


def _line(flip: Flip) -> str:
    name = flip.key.row if not flip.key.repeat else f"{flip.key.row}, repeat {flip.key.repeat + 1}"
    before, after, reference = (_cut(v) for v in (flip.first.get("pred"), flip.second.get("pred"), flip.reference))
    return f"{name}: {before} → {after} (reference {reference})"


def _cut(value: Any) -> str:
    text = one_line(str(value))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"


def _as_json(diff: PairDiff) -> dict[str, Any]:
    found = diff.comparison
    return {
        "first": diff.first._asdict(),
        "second": diff.second._asdict(),
        "metric": diff.metric or None,
        "rows": found and found.n,
        "difference": found and found.difference * diff.scale,
        "p_value": found and found.p_value,
        "method": found and found.method,
        "reason": diff.reason or None,
        "flips": [
            {"row": f.key.row, "repeat": f.key.repeat, "became_right": f.became_right, "reference": f.reference}
            | {"first": dict(f.first), "second": dict(f.second)}
            for f in diff.flips
        ],
    }
