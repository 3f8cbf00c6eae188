"""Scores over a part of the rows say so in every output."""

import csv
from pathlib import Path

import pytest

from tasks.report.summary.layout import plain_csv
from tasks.report.summary.restrictions import Restriction, restriction_of, restriction_remarks, restriction_rows
from tasks.spec.storage.run_folder import read_json
from tests.tasks.report.summary.test_summary import Run

SAID = "limited to 10 of 1,319"


def _limited(run: Run, model: str, dataset: str, asked: int, rows: int) -> None:
    own = {"samples": {"n": asked, "counted": asked}, "rows": {"asked": asked, "all": rows}}
    run.result(model, dataset, accuracy=50.0, compass=own)


def test_every_file_says_it(tmp_path: Path) -> None:
    run = Run(tmp_path)
    _limited(run, "m", "a", 10, 1319)
    _limited(run, "m", "b", 20, 20)
    summary = run.summary(summary_groups=[{"name": "avg", "subsets": ["a", "b"]}], formats=["latex"])
    files = [summary.paths.text, summary.paths.markdown, summary.paths.json, *summary.more]
    assert [path.name for path in files if f"a: {SAID}" not in path.read_text()] == []
    assert f"a: {SAID}" in summary.text
    assert f"a: {SAID}" in summary.markdown
    assert summary.table[0]["dataset"] == f"a: {SAID}"  # artifact and messages
    content = read_json(summary.paths.json)
    assert content["limited"] == [{"model": "m", "dataset": "a", "asked": 10, "rows": 1319, "text": SAID}]
    cells = {row["dataset"]: row["cells"][0] for row in content["rows"]}
    assert cells["a"]["samples"]["all_rows"] == 1319
    assert "all_rows" not in cells["b"]["samples"]
    with summary.paths.samples.open(newline="") as file:
        rows = {row["dataset"]: row["rows"] for row in csv.DictReader(file)}
    assert rows == {"a": "10 of 1319", "b": "-", "avg": "30 of 1339"}


def test_the_csv_stays_one_that_opencompass_writes(tmp_path: Path) -> None:
    run = Run(tmp_path)
    _limited(run, "m", "a", 10, 1319)
    lines = run.summary().paths.csv.read_text().splitlines()
    assert lines[0] == "dataset,version,metric,mode,m"
    assert lines[1] == "a: limited to 10 of 1319,-,-,-,-"
    assert {line.count(",") for line in lines} == {4}


def test_commas_of_cells_become_blanks_but_not_those_of_numbers() -> None:
    assert plain_csv(["a, b"], [["1,319 of 12,345,678"], ["1,2"], ["1,2345"]]) == "a  b\n1319 of 12345678\n1 2\n1 2345"


def test_whole_datasets_say_nothing(tmp_path: Path) -> None:
    run = Run(tmp_path, datasets="a")
    _limited(run, "m", "a", 20, 20)
    summary = run.summary()
    assert summary.limited == ()
    assert "limited" not in summary.text


@pytest.mark.parametrize("own", [{}, {"rows": None}, {"rows": {"asked": 5}}, {"rows": {"asked": "x", "all": 9}}])
def test_files_that_do_not_tell(own: dict[str, object]) -> None:
    assert restriction_of(own) is None


def test_models_with_other_limits_are_named() -> None:
    found = [Restriction("m1", "a", 10, 100), Restriction("m2", "a", 10, 100), Restriction("m3", "a", 20, 100)]
    assert [row.dataset for row in restriction_rows(found[:2], 3)] == ["a: limited to 10 of 100"]
    texts = ["m1 and m2 / a: limited to 10 of 100", "m3 / a: limited to 20 of 100"]
    assert [row.dataset for row in restriction_rows(found, 3)] == texts
    assert restriction_remarks(found) == []


def test_many_datasets_are_counted_in_one_row() -> None:
    found = [Restriction(model, f"mmlu_{number}", 10, 200) for number in range(57) for model in ("m1", "m2")]
    rows = restriction_rows(found, 2)
    assert [row.texts for row in rows] == [["57 datasets: limited to 570 of 11,400", "-", "-", "-", "-", "-"]]
    assert len(restriction_remarks(found)) == 57
