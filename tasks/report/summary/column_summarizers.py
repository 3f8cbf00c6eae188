"""Summarizers whose tables are laid out in another way than one column per model and one list of rows."""

from collections.abc import Mapping, Sequence
from typing import Any

from tasks.report.summary.layout import plain_csv
from tasks.report.summary.restrictions import restriction_rows, restrictions
from tasks.report.summary.scores import Scores
from tasks.report.summary.summarizer import NOTHING, Column, DefaultSummarizer, Row, TableCell, compute_groups, row_of
from tasks.spec.findings import Finding, Place, UserError


class CircularSummarizer(DefaultSummarizer):
    """Several metrics of each model side by side: one column per model and metric, under two lines of headings."""

    def __init__(
        self,
        dataset_abbrs: Sequence[str | Sequence[str]] | None = None,
        summary_groups: Sequence[Mapping[str, Any]] = (),
        prompt_db: Any = None,
        metric_types: Sequence[str] = ("acc_origin", "perf_circular"),
        formats: Sequence[str] = (),
        function: str | None = None,
        mixed: bool = False,
    ) -> None:
        """`metric_types` are the metrics in order; the metric of an entry of `dataset_abbrs` is ignored."""
        super().__init__(dataset_abbrs, summary_groups, prompt_db, formats, function, mixed)
        self.metric_types = tuple(metric_types)

    def columns(self, scores: Scores) -> list[Column]:
        return [Column(model, metric) for model in scores.models for metric in self.metric_types]

    def rows(self, scores: Scores) -> list[Row]:
        groups = compute_groups(self.groups, scores)
        if self.wanted is None:
            names = [*(dataset.abbr for dataset in scores.datasets), *(group.name for group in self.groups)]
        else:
            names = [name for name, _ in self.wanted]
        rows: list[Row] = []
        for name in names:
            by_metric = [row_of(name, metric, scores, groups) for metric in self.metric_types]
            if scores.dataset(name) is None and name not in groups.results:
                by_metric = [row_of(name, None, scores, groups)] * len(self.metric_types)
            cells = tuple(row.cells[place] for place in range(len(scores.models)) for row in by_metric)
            rows.append(Row(name, by_metric[0].version, NOTHING, by_metric[0].mode, cells))
        return rows


class MultiFacetedSummarizer(DefaultSummarizer):
    """One section per facet, each with its own list of rows, and each in a CSV file of its own as well."""

    def __init__(
        self,
        dataset_abbrs_list: Sequence[Mapping[str, Any]] = (),
        summary_groups: Sequence[Mapping[str, Any]] = (),
        formats: Sequence[str] = (),
        function: str | None = None,
        mixed: bool = False,
    ) -> None:
        """`dataset_abbrs_list` are dicts of `name` and `dataset_abbrs`."""
        super().__init__(None, summary_groups, None, formats, function, mixed)
        for index, facet in enumerate(dataset_abbrs_list):
            if not {"name", "dataset_abbrs"} <= facet.keys():
                place = Place(key=f"summarizer.dataset_abbrs_list[{index}]")
                raise UserError(Finding("a facet needs 'name' and 'dataset_abbrs'", place))
        self.facets = {
            str(facet["name"]): DefaultSummarizer(facet["dataset_abbrs"], summary_groups, mixed=mixed)
            for facet in dataset_abbrs_list
        }

    def rows(self, scores: Scores) -> list[Row]:
        rows: list[Row] = []
        for name, facet in self.facets.items():
            title = Row(f"--- {name} ---", NOTHING, NOTHING, NOTHING, (TableCell(NOTHING),) * len(scores.models))
            rows += [title, *facet.rows(scores)]
        return rows

    def files(self, scores: Scores) -> dict[str, str]:
        header = ["dataset", "version", "metric", "mode", *scores.models]
        limited = restriction_rows(restrictions(scores), len(scores.models))
        return {
            f"{name}.csv": plain_csv(header, [row.texts for row in (*limited, *facet.rows(scores))]) + "\n"
            for name, facet in self.facets.items()
        }
