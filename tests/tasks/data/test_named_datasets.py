"""The loaders behind the configurations that the documents name, on small files of the same form."""

import json
from pathlib import Path

import pytest
from support.specs import write_rows

from tasks.data.benchmarks.hendrycks_math import MATHDataset, last_boxed
from tasks.data.benchmarks.siqa import siqaDataset_V3
from tasks.data.benchmarks.winograd import winogradDataset
from tasks.spec.findings import UserError


def _siqa(folder: Path, labels: str) -> str:
    row = {
        "context": "Kim broke the cup.",
        "question": "How does Kim feel?",
        "answerA": "a",
        "answerB": "b",
        "answerC": "c",
    }
    write_rows(folder / "train.jsonl", [row])
    write_rows(folder / "dev.jsonl", [row] * 3)
    (folder / "train-labels.lst").write_text("1\n")
    (folder / "dev-labels.lst").write_text(labels)
    return str(folder)


def test_siqa_joins_questions_and_labels(tmp_path: Path):
    splits = siqaDataset_V3.load(_siqa(tmp_path, "2\n3\n1\n"))
    assert [row["answer"] for row in splits["validation"]] == ["B", "C", "A"]
    assert splits["train"][0] == {
        "context": "Kim broke the cup.", "question": "How does Kim feel?", "A": "a", "B": "b", "C": "c", "answer": "A",
    }  # fmt: skip


@pytest.mark.parametrize(("labels", "told"), [("1\n2\n", "2 labels for the 3 rows"), ("1\n4\n2\n", "'4' is no label")])
def test_siqa_with_other_labels(tmp_path: Path, labels: str, told: str):
    with pytest.raises(UserError, match=told):
        siqaDataset_V3.load(_siqa(tmp_path, labels))


def test_winograd_names_options_and_answer(tmp_path: Path):
    row = {"text": "t", "pronoun": "it", "options": ["the cup", "the shelf"], "quote": "it fell"}
    write_rows(tmp_path / "wsc285.jsonl", [{**row, "label": 0}, {**row, "label": 1}, {**row, "label": 1}])
    rows = winogradDataset.load(str(tmp_path))
    assert [row["answer"] for row in rows] == ["A", "B", "B"]
    assert rows[0] == {"text": "t", "pronoun": "it", "opt1": "the cup", "opt2": "the shelf", "label": 0, "answer": "A"}


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"text": "t"}, "no column 'pronoun'"),
        ({"text": "t", "pronoun": "p", "options": ["x"], "label": 0}, "two options"),
    ],
)
def test_winograd_of_another_form(tmp_path: Path, row: dict[str, object], told: str):
    write_rows(tmp_path / "wsc285.jsonl", [row])
    with pytest.raises(UserError, match=told):
        winogradDataset.load(str(tmp_path))


def test_math_takes_the_answer_from_the_box(tmp_path: Path):
    problems = {str(n): {"problem": f"p{n}", "solution": f"so $\\boxed{{\\frac{{{n}}}{{7}}}}$."} for n in range(3)}
    (tmp_path / "math.json").write_text(json.dumps(problems))
    assert [row["solution"] for row in MATHDataset.load(str(tmp_path))] == [f"\\frac{{{n}}}{{7}}" for n in range(3)]
    (tmp_path / "math.json").write_text(json.dumps({"9": {"problem": "p", "solution": "none"}}))
    with pytest.raises(UserError, match="problem 9"):
        MATHDataset.load(str(tmp_path))


@pytest.mark.parametrize(
    ("text", "box"),
    [
        ("\\boxed{1} then \\boxed{x^{2}}", "x^{2}"),
        ("$\\boxed 5$ dollars", "5"),
        ("\\fbox{7}", "7"),
        ("\\boxed{1", None),
        ("5", None),
    ],
)
def test_the_last_box(text: str, box: str | None):
    assert last_boxed(text) == box
