"""Datasets of conversations."""

from pathlib import Path
from typing import Any

import pytest
from support.specs import write_rows

from tasks.data.chatml import ChatMLDataset
from tasks.plan.source.chatml import expand_chatml
from tasks.spec.findings import Place, UserError
from tasks.spec.values import as_config

ROW = {
    "question": [{"role": "system", "content": "s"}, {"role": "user", "content": "2+2"}],
    "answer": ["4"],
}


def test_rows_keep_their_messages_and_get_the_instruction(tmp_path: Path):
    [row] = ChatMLDataset.load(str(write_rows(tmp_path / "a.jsonl", [ROW])), instruction="Box it.")
    assert row["chatml_question"] == [ROW["question"][0], {"role": "user", "content": "2+2\nBox it."}]
    assert (row["question"], row["answer"], row["chatml_answer"]) == ("2+2", "4", ["4"])


def test_images_stay_parts_of_the_message(tmp_path: Path):
    parts = [{"type": "text", "text": "what?"}, {"type": "image_url", "image_url": {"url": "http://x/y.png"}}]
    path = write_rows(tmp_path / "a.jsonl", [{"question": [{"role": "user", "content": parts}], "answer": ["cat"]}])
    [row] = ChatMLDataset.load(str(path), instruction="Box it.")
    assert row["chatml_question"][0]["content"] == [*parts, {"type": "text", "text": "Box it."}]
    assert row["question"] == "what?"


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ({"question": [{"role": "human", "content": "x"}], "answer": ["y"]}, "question.0.role"),
        ({"question": [{"role": "user", "content": "x"}], "answer": []}, "answer"),
        ({"question": [{"role": "user", "content": "x"}], "answer": ["a", "b"]}, "so 1 or 1 answers, not 2"),
        ({"question": [{"role": "assistant", "content": "x"}], "answer": ["a"]}, "ends with a message of the user"),
    ],
)
def test_a_row_of_another_form_is_named_with_its_line(tmp_path: Path, row: dict[str, Any], told: str):
    path = write_rows(tmp_path / "a.jsonl", [ROW, row])
    with pytest.raises(UserError, match=told) as caught:
        ChatMLDataset.load(str(path))
    assert f"{path}:2" in str(caught.value)


def test_entries_are_appended_to_the_datasets():
    entry = {
        "abbr": "c",
        "path": "x.jsonl",
        "evaluator": {"type": "mcq_rule_evaluator", "answer_pattern": "(X)"},
        "n": 2,
    }
    values = expand_chatml(as_config({"datasets": [], "chatml_datasets": [entry]}, Place()))
    [dataset] = values["datasets"]
    assert dataset["abbr"] == "c" and dataset["n"] == 2
    assert dataset["eval_cfg"]["pred_postprocessor"]["answer_pattern"] == "(X)"


@pytest.mark.parametrize(
    ("entry", "told"),
    [
        ({"abbr": "c", "path": "x"}, "no 'evaluator'"),
        ({"abbr": "c", "path": "x", "evaluator": {"type": "maths_evaluator"}}, "did you mean 'math_evaluator'"),
        ({"abbr": "c", "path": "x", "evaluator": {"type": "math_evaluator"}, "rnage": 1}, "'rnage'"),
    ],
)
def test_mistakes_are_named(entry: dict[str, Any], told: str):
    with pytest.raises(UserError, match=told):
        expand_chatml(as_config({"chatml_datasets": [entry]}, Place()))
