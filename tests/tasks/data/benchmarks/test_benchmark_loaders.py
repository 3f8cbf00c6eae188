"""Loaders of LawBench, IFEval, BIG-Bench Hard, MMLU-Pro and TruthfulQA."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from support.shared_data import shared_data

from tasks.data.benchmarks.bbh import BBHDataset
from tasks.data.benchmarks.ifeval import IFEvalDataset
from tasks.data.benchmarks.lawbench import LawBenchDataset
from tasks.data.benchmarks.mmlu_pro import MMLUProDataset
from tasks.data.benchmarks.truthfulqa import TruthfulQADataset
from tasks.spec.findings import FindingKind, UserError


def _write(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content, ensure_ascii=False), encoding="utf-8")
    return path


def _write_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    import pyarrow
    from pyarrow import parquet

    path.parent.mkdir(parents=True, exist_ok=True)
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)


def test_lawbench_tasks_are_files_of_a_folder(tmp_path: Path) -> None:
    rows = [{"instruction": "i", "question": "问", "answer": "答"}]
    _write(tmp_path / "3-4.json", rows)
    assert LawBenchDataset.load(str(tmp_path), "3-4") == rows
    with pytest.raises(UserError, match=r"3-5\.json") as error:
        LawBenchDataset.load(str(tmp_path), "3-5")
    assert "did you mean '3-4.json'" in str(error.value)
    assert error.value.findings[0].kind is FindingKind.MACHINE


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('{"a": 1}', "not a list of JSON objects"),
        ("[1]", "not a list of JSON objects"),
        ("[\n{", r"\.json:2: not JSON"),
    ],
)
def test_a_file_of_another_form_is_an_error(tmp_path: Path, content: str, message: str) -> None:
    _write(tmp_path / "2-4.json", content)
    with pytest.raises(UserError, match=message):
        LawBenchDataset.load(str(tmp_path), "2-4")


def test_ifeval_rows_are_prompts_with_their_instructions(tmp_path: Path) -> None:
    row = {"key": 1, "prompt": "p", "instruction_id_list": ["punctuation:no_comma"], "kwargs": [{}]}
    path = _write(tmp_path / "input_data.jsonl", row)
    assert IFEvalDataset.load(str(path)) == [{"prompt": "p", "reference": row}]


def test_bbh_examples_lie_beside_the_data(tmp_path: Path) -> None:
    rows = [{"input": "not True is", "target": "False"}]
    _write(tmp_path / "data" / "boolean_expressions.json", {"canary": "c", "examples": rows})
    folder = str(tmp_path / "data")
    assert BBHDataset.load(folder, "boolean_expressions") == rows
    with pytest.raises(UserError, match=r"lib_prompt/boolean_expressions\.txt"):
        BBHDataset.load(folder, "boolean_expressions", with_examples=True)
    _write(tmp_path / "lib_prompt" / "boolean_expressions.txt", "Q: True is\nA: True.\n")
    (row,) = BBHDataset.load(folder, "boolean_expressions", with_examples=True)
    assert row == {**rows[0], "examples": "Q: True is\nA: True."}


def _mmlu_pro_row(**fields: Any) -> dict[str, Any]:
    return {
        "question_id": 1, "question": "q", "options": ["x", "y"], "answer": "B", "category": "law",
        "cot_content": "A: Let's think step by step. It is y. The answer is (B).", **fields,
    }  # fmt: skip


def test_mmlu_pro_by_category(tmp_path: Path) -> None:
    _write_parquet(tmp_path / "data/validation-00000-of-00001.parquet", [_mmlu_pro_row()])
    rows = [_mmlu_pro_row(cot_content=""), _mmlu_pro_row(cot_content="", category="math")]
    _write_parquet(tmp_path / "test-00000-of-00001.parquet", rows)
    splits = MMLUProDataset.load(str(tmp_path), "law")
    assert [len(splits["validation"]), len(splits["test"])] == [1, 1]
    assert splits["validation"][0]["options_str"] == "A. x\nB. y"
    assert splits["validation"][0]["cot_content"] == "It is y. The answer is (B)."
    assert len(MMLUProDataset.load(str(tmp_path))["test"]) == 2
    with pytest.raises(UserError, match="no category 'laws'.*\n.*'law'"):
        MMLUProDataset.load(str(tmp_path), "laws")


def test_an_answer_that_is_no_option_is_an_error(tmp_path: Path) -> None:
    for split in ("validation", "test"):
        _write_parquet(tmp_path / f"{split}-00000-of-00001.parquet", [_mmlu_pro_row(answer="C")])
    with pytest.raises(UserError, match="question 1 has 2 options and the answer 'C'"):
        MMLUProDataset.load(str(tmp_path))


QUESTION = {
    "question": "q",
    "best_answer": "No",
    "correct_answers": ["No", " Not so. "],
    "incorrect_answers": ["Yes", ""],
}


def test_truthfulqa_answers_are_sentences_and_no_comment_is_true(tmp_path: Path) -> None:
    _write(tmp_path / "generation_validation.jsonl", QUESTION)
    (row,) = TruthfulQADataset.load(str(tmp_path))["validation"]
    answers = {
        "best_answer": "No",
        "correct_answers": ["No.", "Not so.", "I have no comment."],
        "incorrect_answers": ["Yes."],
    }
    assert row == {"question": "q", "reference": {"answers": answers, "question": "q"}}


def test_truthfulqa_as_its_authors_publish_it(tmp_path: Path) -> None:
    fields = {"Type": "t", "Category": "c", "Question": "q", "Best Answer": "No", "Correct Answers": "No; Not so",
              "Incorrect Answers": "Yes", "Source": "s"}  # fmt: skip
    with (tmp_path / "TruthfulQA.csv").open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, fields)
        writer.writeheader()
        writer.writerow(fields)
    (row,) = TruthfulQADataset.load(str(tmp_path))["validation"]
    assert row["reference"]["answers"]["correct_answers"] == ["No.", "Not so.", "I have no comment."]


def test_a_question_without_false_answers_is_an_error(tmp_path: Path) -> None:
    _write(tmp_path / "generation_validation.jsonl", {**QUESTION, "incorrect_answers": []})
    with pytest.raises(UserError, match="'q' has no true or no false answers"):
        TruthfulQADataset.load(str(tmp_path))


def test_only_free_answers_of_truthfulqa_are_known(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="'multiple_choice' is not known"):
        TruthfulQADataset.load(str(tmp_path), "multiple_choice")


def test_the_published_files_are_complete() -> None:
    assert len(IFEvalDataset.load(str(shared_data("ifeval/input_data.jsonl")))) == 541
    assert len(LawBenchDataset.load(str(shared_data("lawbench/zero_shot")), "3-4")) == 500
    tasks = [file.stem for file in shared_data("BBH/data").glob("*.json")]
    assert sum(len(BBHDataset.load(str(shared_data("BBH/data")), task, with_examples=True)) for task in tasks) == 6511
    splits = MMLUProDataset.load(str(shared_data("mmlu_pro")))
    assert (len(splits["validation"]), len(splits["test"])) == (70, 12032)
    assert len(TruthfulQADataset.load(str(shared_data("TruthfulQA")))["validation"]) == 817
