"""NeedleBench: how the score depends on the length of the text and on where in it the needle lies."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from tasks.report.summary.groups import Group
from tasks.report.summary.layout import quoted_csv
from tasks.report.summary.scores import Scores
from tasks.report.summary.summarizer import NOTHING, DefaultSummarizer, Row, compute_groups, row_of

_PLACE = re.compile(r"Length(\d+)(?:Depth(\d+))?(?=_|$)")


class _Haystack(NamedTuple):
    """One dataset of a task."""

    task: str
    """The dataset's name without length and depth."""
    length: int
    depth: int | None
    """Percent of the text before the needle; None where needles lie at several places."""
    abbr: str


class NeedleBenchSummarizer(DefaultSummarizer):
    """Datasets named `Length<tokens>Depth<percent>_<task>` become one row per task, and one per task and length.

    All other datasets have their rows as usual. A file `<task>_<model>.csv` has the scores by depth and length.
    """

    def rows(self, scores: Scores) -> list[Row]:
        haystacks = _haystacks(scores)
        hidden = {haystack.abbr for haystack in haystacks}
        own = _groups(haystacks)
        groups = compute_groups([*own, *self.groups], scores)
        if self.wanted is not None:
            return [row_of(name, metric, scores, groups) for name, metric in self.wanted]
        others = [
            (dataset.abbr, metric)
            for dataset in scores.datasets
            if dataset.abbr not in hidden
            for metric in scores.metrics_of(dataset.abbr) or [None]
        ]
        named = [(group.name, group.metric) for group in [*own, *self.groups]]
        return [row_of(name, metric, scores, groups) for name, metric in [*named, *others]]

    def files(self, scores: Scores) -> dict[str, str]:
        tasks: dict[str, list[_Haystack]] = {}
        for haystack in _haystacks(scores):
            tasks.setdefault(haystack.task, []).append(haystack)
        return {
            f"{task}_{model}.csv": _heat_map(model, haystacks, scores)
            for task, haystacks in tasks.items()
            for model in scores.models
        }


def _haystacks(scores: Scores) -> list[_Haystack]:
    found: list[_Haystack] = []
    for dataset in scores.datasets:
        match = _PLACE.search(dataset.abbr)
        if match:
            task = (dataset.abbr[: match.start()] + dataset.abbr[match.end() :]).strip("_-") or "needlebench"
            depth = int(match[2]) if match[2] else None
            found.append(_Haystack(task, int(match[1]), depth, dataset.abbr))
    return found


def _groups(haystacks: Sequence[_Haystack]) -> list[Group]:
    """One group per task, then one per task and length."""
    members: dict[str, list[str]] = {}
    for haystack in haystacks:
        members.setdefault(haystack.task, []).append(haystack.abbr)
    for task, length, _, abbr in sorted(haystacks, key=lambda haystack: (haystack.task, haystack.length)):
        members.setdefault(f"{task} at {length}", []).append(abbr)
    return [
        Group(name, tuple((abbr, None) for abbr in abbrs), "naive_average", "naive_average")
        for name, abbrs in members.items()
    ]


def _heat_map(model: str, haystacks: Sequence[_Haystack], scores: Scores) -> str:
    lengths = sorted({haystack.length for haystack in haystacks})
    cells = {(h.depth, h.length): scores.cell(model, h.abbr).metrics for h in haystacks}

    def text(depth: int | None, length: int) -> str:
        metrics = cells.get((depth, length))
        return f"{next(iter(metrics.values())):.2f}" if metrics else NOTHING

    depths = sorted({haystack.depth for haystack in haystacks}, key=lambda depth: -1 if depth is None else depth)
    rows = [
        [NOTHING if depth is None else str(depth), *(text(depth, length) for length in lengths)] for depth in depths
    ]
    return quoted_csv(["depth %", *map(str, lengths)], rows)
