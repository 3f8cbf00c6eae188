"""All orders of a question's options: the same option stays right, whatever letter it carries."""

import json
from pathlib import Path

import pytest
from support.specs import write_rows

from tasks.data.benchmarks.circular import CircularARCDataset, CircularCustomDataset, CircularPIQADataset, circular_rows
from tasks.spec.findings import UserError

ROW = {"question": "q", "A": "one", "B": "two", "C": "three", "answer": "B"}


def test_rotations_keep_what_is_right():
    copies = list(circular_rows([ROW, ROW], "ABC", "answer"))
    assert [copy[copy["answer"]] for copy in copies] == ["two"] * 6
    assert [copy["qid"] for copy in copies] == [0, 0, 0, 1, 1, 1]
    assert copies[1] == ROW | {
        "A": "two", "B": "three", "C": "one", "answer": "A", "qid": 0, "circular_pattern": "B_SEP_C_SEP_A",
    }  # fmt: skip


def test_all_possible_orders(tmp_path: Path):
    path = write_rows(tmp_path / "quiz.jsonl", [ROW])
    copies = CircularCustomDataset.load(path.as_posix(), list("ABC"), circular_patterns="all_possible")
    assert len({copy["circular_pattern"] for copy in copies}) == 6
    assert all(copy[copy["answer"]] == "two" for copy in copies)


def test_an_answer_that_is_no_option_is_named():
    with pytest.raises(UserError, match=r"(?s)row 1: the answer is 'two'.*one of the letters A, B, C"):
        list(circular_rows([ROW | {"answer": "two"}], "ABC", "answer"))


def test_sets_whose_options_have_other_columns(tmp_path: Path):
    choices = [{"text": text, "label": label} for label, text in zip("ABCD", ["w", "x", "y", "z"], strict=True)]
    file = tmp_path / "arc.jsonl"
    file.write_text(json.dumps({"question": {"stem": "s", "choices": choices}, "answerKey": "D"}))
    assert [row["answerKey"] for row in CircularARCDataset.load(str(file))] == ["D", "C", "B", "A"]
    for name in ("train", "dev"):
        (tmp_path / f"{name}.jsonl").write_text(json.dumps({"goal": "g", "sol1": "no", "sol2": "yes"}))
        (tmp_path / f"{name}-labels.lst").write_text("1\n")
    splits = CircularPIQADataset.load(str(tmp_path))
    assert [(row["sol1"], row["answer"]) for row in splits["validation"]] == [("no", "B"), ("yes", "A")]
    assert len(splits["train"]) == 1
