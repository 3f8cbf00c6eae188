"""All that stands on the page but the samples' texts, gathered from the files of a run."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.report.page.charts import amount_drawing, group_drawings, total_drawing
from tasks.report.page.columns import FOUND_CODES, STATUS_CODES, PairColumns, read_columns
from tasks.report.page.figures import Drawing
from tasks.report.page.recipe import Recipes, read_recipes
from tasks.report.page.sample_blocks import BLOCK_SAMPLES, ChosenSamples, choose_samples
from tasks.report.page.tables import Failure, HeatRow, ScoreRow, bar_groups, failures, heat_map, overview
from tasks.report.summarize import build_summarizer, empty_cells
from tasks.report.summary.restrictions import (
    change_marks,
    restriction_remarks,
    restriction_rows,
    restrictions,
    text_rows,
)
from tasks.report.summary.sample_counts import CountsTable, counts_table, remarks
from tasks.report.summary.scores import read_scores
from tasks.report.summary.summarizer import Column
from tasks.report.summary.usage import Prices, Spent, spent_by_model
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import Pair, RunFolder

MOST_GROUPS = 12
"""Summary groups that are drawn."""


@dataclass(frozen=True)
class PageContent:
    """What the template shows."""

    name: str
    """The run's."""
    models: tuple[str, ...]
    columns: tuple[Column, ...]
    rows: list[ScoreRow]
    partial: bool
    counts: CountsTable
    remarks: list[str]
    group_drawings: list[Drawing]
    groups_not_drawn: int
    heat: list[HeatRow]
    spent: dict[str, Spent]
    sample_drawings: list[Drawing]
    failures: list[Failure]
    recipes: Recipes
    samples: list[ChosenSamples]

    @property
    def samples_shown(self) -> int:
        return sum(len(chosen.places) for chosen in self.samples)

    @property
    def samples_total(self) -> int:
        return sum(len(chosen.columns) for chosen in self.samples)

    @property
    def index(self) -> dict[str, Any]:
        """What the page's script needs before any block."""
        return {
            "block": BLOCK_SAMPLES,
            "statuses": {code: str(status) for status, code in STATUS_CODES.items()},
            "found": {code: str(found) for found, code in FOUND_CODES.items()},
            "pairs": [chosen.index() for chosen in self.samples],
        }


def read_content(
    models: Sequence[ModelSpec],
    datasets: Sequence[DatasetSpec],
    folder: RunFolder,
    summarizer: dict[str, Any] | None,
    *,
    search_path: Sequence[str] = (),
    pairs: Collection[Pair] | None = None,
    most_samples: int | None = None,
) -> PageContent:
    """Reads the run as it stands; arguments as those of `summarize`, and how many samples the page may hold.

    UserError for a summarizer that cannot be used.
    """
    scores = read_scores(models, datasets, folder, pairs)
    maker = build_summarizer(summarizer, search_path)
    table, limited = tuple(maker.columns(scores)), restrictions(scores)
    marks = text_rows(change_marks(scores), len(table))
    rows = (*marks, *restriction_rows(limited, len(table)), *maker.rows(scores))
    samples = _read_samples(models, datasets, folder, pairs)
    prices: Prices = {model.summarizer_abbr or model.abbr: model.prices for model in reversed(models)}
    spent = spent_by_model(scores, prices)
    groups = bar_groups(maker.groups, scores)
    return PageContent(
        name=folder.root.resolve().name,
        models=scores.models,
        columns=table,
        rows=overview(rows, scores),
        partial=scores.is_partial,
        counts=counts_table(table, rows, scores, prices).for_people(),
        remarks=[*restriction_remarks(limited), *maker.remarks(scores), *remarks(scores)],
        group_drawings=[drawing for group in groups[:MOST_GROUPS] for drawing in group_drawings(group)],
        groups_not_drawn=len(groups[MOST_GROUPS:]),
        heat=heat_map(scores),
        spent=spent,
        sample_drawings=_sample_drawings(models, samples, spent),
        failures=failures(empty_cells(table, rows, scores), samples.values()),
        recipes=read_recipes(folder, models, scores),
        samples=choose_samples([columns for columns in samples.values() if len(columns)], most_samples),
    )


def _read_samples(
    models: Sequence[ModelSpec], datasets: Sequence[DatasetSpec], folder: RunFolder, pairs: Collection[Pair] | None
) -> dict[Pair, PairColumns]:
    """Of every pair that has predictions."""
    found: dict[Pair, PairColumns] = {}
    for model in models:
        for dataset in datasets:
            pair = Pair(model.abbr, dataset.abbr)
            if pairs is None or pair in pairs:
                columns = read_columns(folder, pair, dataset.n)
                if len(columns) or folder.predictions(pair).is_file():
                    found[pair] = columns
    return found


def _sample_drawings(
    models: Sequence[ModelSpec], samples: Mapping[Pair, PairColumns], spent: Mapping[str, Spent]
) -> list[Drawing]:
    tokens = _joined(models, samples, "tokens_out")
    length, unit = (tokens, "tokens") if tokens else (_joined(models, samples, "characters_out"), "characters")
    drawings = [
        amount_drawing("Length of answers", unit, length),
        amount_drawing("Latency of answers", "seconds", _joined(models, samples, "latencies")),
        total_drawing("Tokens", "tokens", {m: _tokens(amount) for m, amount in spent.items()}),
        total_drawing("Cost", "dollars", {m: {"dollars": s.cost} for m, s in spent.items() if s.cost is not None}),
    ]
    return [drawing for drawing in drawings if drawing is not None]


def _tokens(spent: Spent) -> dict[str, float]:
    return {"in": spent.prompt_tokens, "out": spent.completion_tokens}


def _joined(models: Sequence[ModelSpec], samples: Mapping[Pair, PairColumns], name: str) -> dict[str, list[float]]:
    """One measurement of all samples of each model that has any."""
    joined: dict[str, list[float]] = {model.abbr: [] for model in models}
    for pair, columns in samples.items():
        joined[pair.model].extend(getattr(columns, name))
    return {model: values for model, values in joined.items() if values}
