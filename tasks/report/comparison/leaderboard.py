"""Results of many runs as one table: models by datasets. Needs the extra `report`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import Any

from tasks.report.optional_libraries import report_extra
from tasks.spec.storage.canonical import digest

_DATASET = ("dataset", "recipe", "data", "scoring", "selection")
"""What of a result must be equal for two scores to stand in one column."""
_MODEL = ("model", "model_identity")
_DIGITS = 6


@dataclass(frozen=True)
class Leaderboard:
    """Scores of one way to ask and to score per column, of one configuration of a model per line."""

    columns: Sequence[str]
    lines: Mapping[str, Sequence[float | None]]
    """By model; None where there is no result."""
    records: Sequence[Mapping[str, Any]]
    """What the scores are of, one by one."""


def make_leaderboard(
    rows: Sequence[Mapping[str, Any]],
    *,
    model: str = "*",
    dataset: str = "*",
    metric: str | None = None,
    sort: str | None = None,
) -> Leaderboard:
    """From a station's table, the newest result first; `model`, `dataset` and `metric` are patterns.

    Without `metric` the main one of each result. Whatever was asked or scored in another way has a column or a line
    of its own, told apart by digits of its identity. `sort` names the column that orders the models, best first.
    """
    chosen = [row for row in rows if fnmatchcase(row["model"], model) and fnmatchcase(row["dataset"], dataset)]
    chosen = [row for row in chosen if (fnmatchcase(row["metric"], metric) if metric else row["position"] == 0)]
    if not chosen:
        return Leaderboard((), {}, ())
    with report_extra():
        import pandas as pd
    frame = pd.DataFrame(chosen)
    frame["line"] = _labels(chosen, "model", _MODEL)
    frame["column"] = _labels(chosen, "dataset", _DATASET)
    frame["column"] += " " + frame["metric"]
    frame = frame.drop_duplicates(["line", "column"])
    table = frame.pivot_table(index="line", columns="column", values="value", aggfunc="first")
    if sort is not None:
        best = [column for column in table.columns if fnmatchcase(column, sort) or column.startswith(f"{sort} ")]
        table = table.sort_values(best[:1], ascending=False) if best else table
    lines = {
        str(name): [None if pd.isna(value) else float(value) for value in values]
        for name, values in zip(table.index, table.to_numpy(), strict=True)
    }
    return Leaderboard([str(column) for column in table.columns], lines, _records(frame))


def _records(frame: Any) -> list[dict[str, Any]]:
    """Without the place in the table; None where pandas has no number."""
    plain = frame.drop(columns=["line", "column"]).astype(object)
    return plain.where(plain.notna(), None).to_dict("records")


def _labels(rows: Sequence[Mapping[str, Any]], name: str, parts: Sequence[str]) -> list[str]:
    """Names, with what tells them apart where one name stands for several things."""
    identities: dict[str, set[str]] = {}
    keys = [digest([row[part] for part in parts]) for row in rows]
    for row, key in zip(rows, keys, strict=True):
        identities.setdefault(row[name], set()).add(key)
    return [_label(row, name, key, len(identities[row[name]]) > 1) for row, key in zip(rows, keys, strict=True)]


def _label(row: Mapping[str, Any], name: str, key: str, is_ambiguous: bool) -> str:
    marks = [row["selection"]] if name == "dataset" and row["selection"] != "all" else []
    marks += [f"#{key[:_DIGITS]}"] if is_ambiguous else []
    return f"{row[name]} ({', '.join(marks)})" if marks else str(row[name])
