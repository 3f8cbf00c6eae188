"""Loaders of SuperGLUE, CLUE, open questions, LAMBADA, FLORES, LongBench: columns, and what of a file is not right."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.shared_data import shared_data
from support.specs import write_rows

from tasks.data.benchmarks import clue, open_questions, superglue
from tasks.data.benchmarks.flores import FloresFirst100Dataset
from tasks.data.benchmarks.ifbench import IFBenchDataset
from tasks.data.benchmarks.lambada import lambadaDataset
from tasks.data.benchmarks.longbench import LongBenchDataset
from tasks.spec.findings import UserError

WSC = {
    "text": "Ann told Mary that she won .",
    "target": {"span1_index": 2, "span1_text": "Mary", "span2_index": 4, "span2_text": "she"},
    "label": "true",
}


@pytest.mark.parametrize(
    ("loader", "count", "labels"),
    [
        (superglue.BoolQDataset, 3270, {0, 1}),
        (superglue.BoolQDatasetV2, 3270, {"A", "B"}),
        (superglue.BoolQDatasetV3, 3270, {"true", "false"}),
        (superglue.COPADataset, 100, {0, 1}),
        (superglue.COPADataset_V2, 100, {"A", "B"}),
        (superglue.WiCDataset, 638, {0, 1}),
        (superglue.WiCDatasetV2, 638, {"A", "B"}),
        (superglue.WSCDataset, 104, {0, 1}),
        (superglue.WSCDatasetV3, 104, {"A", "B"}),
        (clue.OCNLIDataset, 2950, {"entailment", "contradiction", "neutral"}),
        (clue.CMNLIDatasetV2, 2950, {"A", "B", "C"}),
        (open_questions.StrategyQADataset, 2290, {"yes", "no"}),
    ],
)
def test_published_files(loader: Any, count: int, labels: set[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(shared_data().parent))
    rows = loader.load()
    assert len(rows) == count
    assert {row["answer" if "answer" in row else "label"] for row in rows} == labels


def test_published_splits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(shared_data().parent))
    assert len(open_questions.NQOpenDataset.load()["validation"]) == 3610
    assert len(open_questions.SimpleQADataset.load()["test"]) == 4326
    assert len(lambadaDataset.load()["test"]) == 5153
    assert len(IFBenchDataset.load()) == 300
    assert all(row["answers"] for row in clue.CMRCDataset.load())
    assert {len(rows) for rows in FloresFirst100Dataset.load(name="zho_Hans-eng_Latn").values()} == {100}


def test_the_phrase_of_wsc_is_marked_or_put_in_place_of_the_pronoun(tmp_path: Path) -> None:
    path = str(write_rows(tmp_path / "val.jsonl", [WSC]))
    assert superglue.WSCDataset.load(path)[0]["new_text"] == "Ann told Mary that Mary won ."
    assert superglue.WSCDatasetV3.load(str(tmp_path))[0]["text"] == "Ann told * Mary * that # she # won ."
    assert superglue.WSCDataset.load("json", data_files=path, split="train")[0]["answer"] == 1


def test_spans_stand_beside_the_text_in_the_hubs_copy(tmp_path: Path) -> None:
    row = {"text": WSC["text"], **WSC["target"], "label": 0}
    assert superglue.WSCDatasetV2.load(str(write_rows(tmp_path / "val.jsonl", [row])))[0]["label"] == "B"


def test_questions_with_lists_of_answers(tmp_path: Path) -> None:
    for name in ("nq-dev.qa.csv", "nq-test.qa.csv", "trivia-dev.qa.csv", "trivia-test.qa.csv"):
        (tmp_path / name).write_text("who\t['Ann', \"O'Hara\"]\n")
    found = open_questions.NaturalQuestionDataset.load(str(tmp_path))
    assert found["test"] == [{"question": "who", "answer": ["Ann", "O'Hara"]}]
    assert found["dev"][0]["answer"] == open_questions.TriviaQADataset.load(str(tmp_path))["test"][0]["answer"] == "Ann"
    (tmp_path / "nq-test.qa.csv").write_text("who\t['Ann']\nwho\t__import__('os')\n")
    with pytest.raises(UserError, match=r"nq-test\.qa\.csv:2: no question with its answers"):
        open_questions.NaturalQuestionDataset.load(str(tmp_path))


@pytest.mark.parametrize(
    ("loader", "name", "content", "message"),
    [
        (superglue.BoolQDataset, "val.jsonl", '{"label": "maybe"}', "'maybe' is no label"),
        (clue.OCNLIDataset, "dev.json", '{"sentence1": "", "sentence2": "", "label": "x"}', "'x' is no label"),
        (
            open_questions.StrategyQADataset,
            "strategyQA_train.json",
            '[{"question": "q", "answer": "yes"}]',
            "true and false",
        ),
        (
            clue.CMRCDataset,
            "dev.json",
            json.dumps(
                {"data": [{"paragraphs": [{"context": "c", "qas": [{"id": "Q1", "question": "q", "answers": []}]}]}]}
            ),
            "'Q1' has no answer",
        ),
    ],
)
def test_rows_of_another_form_are_named(loader: Any, name: str, content: str, message: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(UserError, match=message):
        loader.load(str(tmp_path))


def test_flores_needs_two_languages_with_the_same_sentences(tmp_path: Path) -> None:
    for split, language, text in (
        ("dev", "a", "1\n2\n"),
        ("dev", "b", "1\n"),
        ("devtest", "a", "1"),
        ("devtest", "b", "1"),
    ):
        (tmp_path / split).mkdir(exist_ok=True)
        (tmp_path / split / f"{language}.{split}").write_text(text)
    with pytest.raises(UserError, match="1 lines for the 2"):
        FloresFirst100Dataset.load(str(tmp_path), "a-b")
    with pytest.raises(UserError, match="two languages"):
        FloresFirst100Dataset.load(str(tmp_path), "a")


def test_longbench_files_lie_in_the_folder_or_below_data(tmp_path: Path) -> None:
    row = {"input": "q", "context": "c", "answers": ["a"], "all_classes": None}
    write_rows(tmp_path / "data" / "lcc.jsonl", [row])
    (found,) = LongBenchDataset.load(str(tmp_path), "lcc")
    assert found["all_labels"] == {"answers": ["a"], "all_classes": []}


def _parquet(path: Path, rows: list[dict[str, Any]]) -> str:
    import pyarrow
    from pyarrow import parquet

    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    return str(path)


def test_copies_on_the_hub_have_other_columns(tmp_path: Path) -> None:
    pair = {"sentence1": "s", "sentence2": "t", "idx": 0}
    ocnli = _parquet(tmp_path / "ocnli.parquet", [{**pair, "label": label} for label in (0, 1, 2, -1)])
    assert [row["label"] for row in clue.CMNLIDatasetV2.load(ocnli)] == ["C", "A", "B"]
    answers = {"text": ["a", "a", "b"], "answer_start": [0, 0, 1]}
    cmrc = _parquet(tmp_path / "cmrc.parquet", [{"id": "1", "context": "c", "question": "q", "answers": answers}])
    assert clue.CMRCDataset.load(cmrc) == [{"context": "c", "question": "q", "answers": ["a", "b"]}]
    lambada = write_rows(tmp_path / "lambada.jsonl", [{"text": "All of it but the end"}])
    assert lambadaDataset.load(str(lambada))["test"] == [{"prompt": "All of it but the", "label": "end"}]
    trivia = {"question": "q", "answer": {"value": "A", "aliases": ["A", "An A"]}}
    for split in ("train", "validation"):
        write_rows(tmp_path / f"triviaqa-{split}.jsonl", [trivia])
    found = open_questions.TriviaQADatasetV2.load(str(tmp_path))
    assert found["train"] == found["validation"] == [{"question": "q", "answer": ["A", "An A"]}]
