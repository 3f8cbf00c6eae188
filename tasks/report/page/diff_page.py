"""The page of a comparison of two runs."""

from collections.abc import Sequence
from pathlib import Path

from tasks.report.comparison.changed_verdicts import PairDiff
from tasks.report.page.html import diff_html
from tasks.spec.storage.run_folder import write_atomically

MOST_FLIPS = 1000
"""Samples of one pair and direction that the page shows."""


def write_diff_page(path: Path, first: str, second: str, diffs: Sequence[PairDiff]) -> None:
    """Writes one file that needs no other; `first` and `second` name the runs."""
    text = "".join(diff_html(first=first, second=second, diffs=diffs, most=MOST_FLIPS))
    write_atomically(path, text.encode("utf-8", "backslashreplace"))
