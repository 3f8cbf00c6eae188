"""Scoring notices rows that are not those that were asked."""

from pathlib import Path
from typing import Any

import pytest
from support.predictions import Case
from support.specs import write_rows

from tasks.data.loading import load_dataset
from tasks.data.rows import plan_rows
from tasks.infer.asked_rows import changed_rows, write_asked_rows
from tasks.report.summarize import summarize
from tasks.score.score_error import ScoreError


@pytest.fixture
def case(tmp_path: Path) -> Case:
    """A pair that was asked, with its predictions."""
    asked = Case(tmp_path, ["a", "b", "c"]).predict("a", "b", "x")
    data = load_dataset(asked.dataset)
    write_asked_rows(asked.folder, asked.pair, asked.dataset, data, plan_rows(asked.dataset, data))
    return asked


def _rewrite(case: Case, rows: list[tuple[str, Any]]) -> None:
    folder = case.folder.root.parent
    write_rows(folder / "rows.jsonl", [{"question": question, "answer": answer} for question, answer in rows])


def test_the_same_rows_are_scored(case: Case) -> None:
    assert case.score().metrics["accuracy"] == pytest.approx(200 / 3)
    assert "changed" not in case.own


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([("q0", "a"), ("q1", "z"), ("q2", "c")], r"1 row is not the one that the model was asked \(row 1\)"),
        ([("other", "a"), ("q1", "b"), ("q2", "c")], r"1 row is not .*\(row 0\)"),
        ([("q1", "b"), ("q0", "a"), ("q2", "c")], r"2 rows are not those that the model was asked \(row 0, 1\)"),
        ([("x", "x"), ("y", "y"), ("z", "z")], r"3 rows are not those .*\(row 0, 1, 2\)"),
    ],
)
def test_changed_rows_are_named_and_not_scored(case: Case, rows: list[tuple[str, Any]], said: str) -> None:
    _rewrite(case, rows)
    with pytest.raises(ScoreError, match=f"{said}.*--rescore-changed"):
        case.score()
    assert not case.folder.results(case.pair).exists()


def test_they_are_scored_where_that_is_wanted_and_every_table_says_so(case: Case) -> None:
    _rewrite(case, [("q0", "a"), ("q1", "b"), ("q2", "x")])
    assert case.score(rescore_changed=True).metrics["accuracy"] == 100
    summary = summarize([case.model], [case.dataset], case.folder, None, time="20261129_120000")
    mark = f"m / {case.pair.dataset}: 1 row is not the one that the model was asked (row 2), the data were changed"
    assert summary.table[0]["dataset"] == mark
    paths = summary.paths
    assert all("not the one that the model was asked" in path.read_text() for path in (*paths[:4],))


def test_another_order_of_columns_is_no_change(case: Case) -> None:
    folder = case.folder.root.parent
    write_rows(folder / "rows.jsonl", [{"answer": a, "question": f"q{i}", "more": 1} for i, a in enumerate("abc")])
    assert case.score().metrics["accuracy"] == pytest.approx(200 / 3)


def test_predictions_of_other_programs_have_no_digests(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a"]).predict("a")
    data = load_dataset(case.dataset)
    assert changed_rows(case.folder, case.pair, case.dataset, data, plan_rows(case.dataset, data)) == []
