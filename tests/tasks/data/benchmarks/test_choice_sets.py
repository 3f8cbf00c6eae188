"""Loaders of sets whose options are compared: published numbers of rows, columns, references among the options."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.shared_data import shared_data

from tasks.data.benchmarks.arc import ARCDataset
from tasks.data.benchmarks.commonsenseqa import commonsenseqaDataset
from tasks.data.benchmarks.hellaswag import HellaswagDataset, HellaswagDataset_V2
from tasks.data.benchmarks.openbookqa import OBQADataset
from tasks.data.benchmarks.piqa import PIQADataset, PIQADatasetV2
from tasks.data.benchmarks.winogrande import WinograndeDataset, WinograndeDatasetV2
from tasks.spec.findings import UserError


@pytest.fixture(autouse=True)
def _shared(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(shared_data().parent))


def test_winogrande():
    rows = WinograndeDataset.load()
    assert len(rows) == 1267
    assert all(row["opt1"].endswith(row["cont"]) and row["opt2"].endswith(row["cont"]) for row in rows)
    assert all(row["only_option1"] in row["opt1"] for row in rows)
    assert {row["answer"] for row in rows} == {1, 2}
    letters = WinograndeDatasetV2.load()
    assert [row["answer"] for row in letters] == [" AB"[row["answer"]] for row in rows]


def test_hellaswag():
    rows = HellaswagDataset.load()
    assert len(rows) == 10042 and {row["label"] for row in rows} == {0, 1, 2, 3}
    assert HellaswagDataset_V2.load()[0]["label"] == "ABCD"[rows[0]["label"]]


def test_piqa():
    splits = PIQADataset.load()
    assert splits["train"] and len(splits["validation"]) == 1838
    assert {row["label"] for row in splits["validation"]} == {0, 1}
    assert PIQADatasetV2.load()["validation"][0]["answer"] == "AB"[splits["validation"][0]["label"]]


def test_commonsenseqa():
    splits = commonsenseqaDataset.load()
    assert splits["train"] and len(splits["validation"]) == 1221
    assert {row["answerKey"] for row in splits["validation"]} == set("ABCDE")


def test_openbookqa():
    rows = OBQADataset.load()
    assert len(rows) == 500 and all({"A", "B", "C", "D"} <= row.keys() for row in rows)


@pytest.mark.parametrize(
    ("path", "name", "count"),
    [("opencompass/ai2_arc-dev", "ARC-Challenge", 295), ("opencompass/ai2_arc-easy-dev", "ARC-Easy", 567)],
)
def test_arc_keeps_the_questions_with_four_options_and_names_them_by_letters(path: str, name: str, count: int):
    rows = ARCDataset.load(path, name)
    assert len(rows) == count and {row["answerKey"] for row in rows} == set("ABCD")


@pytest.mark.parametrize(
    ("loader", "file", "row"),
    [
        (WinograndeDataset, "dev.jsonl", {"sentence": "no gap", "option1": "a", "option2": "b", "answer": "1"}),
        (HellaswagDataset, "hellaswag.jsonl", {"query": "q", "choices": ["a"], "gold": 0}),
        (OBQADataset, "test.jsonl", {"question": {"stem": "q", "choices": []}, "answerKey": "A"}),
    ],
)
def test_a_row_of_another_form_is_named_by_file_and_line(loader: Any, file: str, row: dict[str, Any], tmp_path: Path):
    (tmp_path / file).write_text(json.dumps(row) + "\n", encoding="utf-8")
    with pytest.raises(UserError, match=f"{file}:1"):
        loader.load(str(tmp_path))


def test_labels_and_rows_must_belong_together(tmp_path: Path):
    for name in ("train", "dev"):
        (tmp_path / f"{name}.jsonl").write_text('{"goal": "g", "sol1": "1", "sol2": "2"}\n')
        (tmp_path / f"{name}-labels.lst").write_text("0\n1\n")
    with pytest.raises(UserError, match="2 labels for the 1 rows"):
        PIQADataset.load(str(tmp_path))
