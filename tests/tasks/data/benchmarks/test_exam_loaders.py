"""Loaders of mathematical problems and exams: the files that are published, and the forms in which the hub has them."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.exam_benchmarks import GPQA_TABLE
from support.shared_data import shared_data
from support.specs import write_rows

from tasks.data.benchmarks.agieval import AGIEvalDataset_v2
from tasks.data.benchmarks.aime import Aime2024Dataset, Aime2025Dataset
from tasks.data.benchmarks.ceval import CEvalDataset
from tasks.data.benchmarks.cmmlu import CMMLUDataset
from tasks.data.benchmarks.gpqa import GPQADataset, GPQASimpleEvalDataset
from tasks.data.benchmarks.gsm_hard import GSMHardDataset
from tasks.data.benchmarks.hendrycks_math import MATHDataset
from tasks.data.benchmarks.mgsm import MGSMSDataset
from tasks.data.benchmarks.mmlu import MMLUDataset
from tasks.data.benchmarks.race import RaceDataset
from tasks.data.benchmarks.svamp import SVAMPDataset
from tasks.data.benchmarks.theoremqa import TheoremQADatasetV3
from tasks.data.sources import HubFile
from tasks.spec.findings import FindingKind, UserError

OPTIONS = ["w", "x", "y", "z"]
LETTERED = dict(zip("ABCD", OPTIONS, strict=True))


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """A machine without data. Rows by the end of a file's name on the hub; what is asked is added under `asked`."""
    hub: dict[str, Any] = {"asked": []}

    def hub_file(repository: str, file: str, revision: str) -> Path:
        hub["asked"].append(HubFile(repository, file, revision))
        rows = next(rows for end, rows in hub.items() if file.endswith(end))
        return _written(tmp_path / "hub" / file, rows)

    monkeypatch.setattr("tasks.data.sources.hub_file", hub_file)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("COMPASS_DATA_CACHE", raising=False)
    monkeypatch.chdir(tmp_path)
    return hub


def _written(path: Path, rows: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".parquet":
        import pyarrow
        from pyarrow import parquet

        parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    elif isinstance(rows, str):
        path.write_text(rows, encoding="utf-8")
    else:
        write_rows(path, rows)
    return path


def test_mmlu_from_the_hub(hub: dict[str, Any]):
    hub["parquet"] = [{"question": "q", "subject": "anatomy", "choices": OPTIONS, "answer": 2}]
    splits = MMLUDataset.load(name="anatomy")
    assert splits["val"] == splits["test"] == [{"input": "q", "target": "C", **LETTERED}]
    assert hub["asked"][1] == HubFile("cais/mmlu", "anatomy/validation-00000-of-00001.parquet", "main")


def test_ceval_and_cmmlu_from_the_hub(hub: dict[str, Any]):
    hub["parquet"] = [{"id": 0, "question": "q", **LETTERED, "answer": "D", "explanation": "e"}]
    assert CEvalDataset.load(name="law")["val"] == [{"question": "q", **LETTERED, "answer": "D", "explanation": "e"}]
    hub["parquet"] = [{"Question": "q", **LETTERED, "Answer": "A"}]
    assert CMMLUDataset.load(name="arts")["test"] == [{"question": "q", **LETTERED, "answer": "A"}]


def test_race_from_the_hub(hub: dict[str, Any]):
    hub["parquet"] = [{"example_id": "1", "article": "a", "question": "q", "options": OPTIONS, "answer": "B"}]
    assert RaceDataset.load(name="high")["test"] == [{"article": "a", "question": "q", **LETTERED, "answer": "B"}]
    assert hub["asked"][-1].file == "high/test-00000-of-00001.parquet"


def test_mathematics_from_the_hub(hub: dict[str, Any]):
    hub["parquet"] = [{"id": 60, "problem": "p", "solution": r"\boxed{73}", "answer": "073", "year": "2024"}]
    assert Aime2024Dataset.load() == [{"question": "p", "answer": "73"}]
    hub["-I.jsonl"], hub["-II.jsonl"] = [{"question": "i", "answer": "70"}], [{"question": "ii", "answer": 588}]
    assert [row["answer"] for row in Aime2025Dataset.load()] == ["70", "588"]
    assert len(MATHDataset.load()) == 7
    hub["test.jsonl"] = [{"problem": "p", "solution": r"So \boxed{4}.", "answer": "4"}]
    assert MATHDataset.load(file_name="test_prm800k_500.jsonl")[0]["solution"] == "4"
    hub["gsmhardv2.jsonl"] = [{"input": "q", "code": "c", "target": 2.5}]
    assert GSMHardDataset.load() == [{"question": "q", "answer": 2.5}]
    hub[".tsv"] = "Wie viele?\t1,018\n"
    assert MGSMSDataset.load("data/mgsm/mgsm_de.tsv") == [{"question": "Wie viele?", "answer": "1018"}]
    assert hub["asked"][-1] == HubFile("juletxara/mgsm", "mgsm_de.tsv", "main")


def test_word_problems_and_theorems_from_the_hub(hub: dict[str, Any]):
    hub["parquet"] = [{"Body": "There are 3 cats.", "Question": "How many legs?", "Answer": "12.0"}]
    assert SVAMPDataset.load() == [{"question": "There are 3 cats. How many legs?", "answer": "12"}] * 2
    hub["parquet"] = [{"Question": "q", "Answer": "True", "Answer_type": "bool", "Picture": None}]
    assert TheoremQADatasetV3.load() == [{"Question": "q", "Answer": "True", "Answer_type": "bool"}]


def test_a_path_of_ones_own_is_never_replaced_by_the_hub(hub: dict[str, Any]):
    with pytest.raises(UserError, match="no data at 'my/mmlu'") as error:
        MMLUDataset.load("my/mmlu", "anatomy")
    assert error.value.findings[0].kind is FindingKind.MACHINE
    assert hub["asked"] == []


@pytest.mark.parametrize("name", ["test_prm800k_500.json", "test_prm800k_500.jsonl"])
def test_math_500_is_read_in_either_form(tmp_path: Path, name: str):
    row = {"problem": "p", "solution": r"It is \boxed{7}."}
    _written(tmp_path / name, json.dumps({"0": row}) if name.endswith(".json") else [row])
    assert MATHDataset.load(str(tmp_path), "test_prm800k_500.jsonl")[0]["solution"] == "7"


def test_the_right_option_of_gpqa_moves_from_row_to_row(tmp_path: Path):
    _written(tmp_path / "gpqa_diamond.csv", GPQA_TABLE)
    rows = GPQADataset.load(str(tmp_path))
    assert [row["answer"] for row in rows] == ["D", "C", "B"]
    assert all(row[row["answer"]] == f"yes {number}" for number, row in enumerate(rows))
    shuffled = GPQASimpleEvalDataset.load(str(tmp_path), n_repeats=2)
    assert len(shuffled) == 6 and all(row[row["answer"]].startswith("yes") for row in shuffled)
    assert shuffled == GPQASimpleEvalDataset.load(str(tmp_path), n_repeats=2)
    assert shuffled[:3] != shuffled[3:]


def test_marks_of_options_are_taken_off_however_they_are_written(tmp_path: Path):
    forms = [["(A)one", "(B) two"], [" A．one", "B. two "], ["A one", "B two"], ["A one", "(B)two"]]
    rows = [{"passage": "p", "question": "q", "options": options, "label": "B"} for options in forms]
    rows.append({"passage": None, "question": "q", "options": ["(A)A dog", "(B)a cat"], "label": ["B", "A"]})
    rows.append({"passage": "", "question": "q", "options": None, "label": None, "answer": 5})
    loaded = AGIEvalDataset_v2.load(str(write_rows(tmp_path / "x.jsonl", rows).parent), "x")
    assert [row["options"] for row in loaded[:3]] == ["A. one\nB. two"] * 3
    assert loaded[3]["options"] == "A. A one\nB. two"
    assert (loaded[4]["options"], loaded[4]["label"]) == ("A. A dog\nB. a cat", "AB")
    assert (loaded[5]["options"], loaded[5]["label"], loaded[0]["question"]) == ("", "5", "p\nq")


@pytest.mark.parametrize(
    ("answer", "options"), [("E", OPTIONS), (7, OPTIONS), ("A", OPTIONS[:3])], ids=["letter", "index", "three options"]
)
def test_a_row_that_is_no_question_with_four_options(tmp_path: Path, answer: Any, options: list[str]):
    row = {"article": "a", "question": "which one", "options": options, "answer": answer}
    for split in ("validation", "test"):
        write_rows(tmp_path / split / "middle.jsonl", [row])
    with pytest.raises(UserError, match="for the question 'which one'"):
        RaceDataset.load(str(tmp_path))


def test_a_line_without_a_tab_is_named(tmp_path: Path):
    with pytest.raises(UserError, match=r"mgsm_en\.tsv:2"):
        MGSMSDataset.load(str(_written(tmp_path / "mgsm_en.tsv", "q\t1\nq 2\n")))


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path):
    with pytest.raises(UserError, match="a folder, not a file"):
        MGSMSDataset.load(str(tmp_path))


def test_the_published_files_are_complete(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(shared_data().parent))
    assert len(GSMHardDataset.load()) == 1319
    assert len(SVAMPDataset.load()) == 1000
    assert len(MATHDataset.load(file_name="test_prm800k_500.jsonl")) == 500
    assert len(MGSMSDataset.load("data/mgsm/mgsm_te.tsv")) == 250
    assert TheoremQADatasetV3.load(str(shared_data("TheoremQA/test.csv"))) == TheoremQADatasetV3.load()
    mmlu = [file.name.removesuffix("_test.csv") for file in shared_data("mmlu/test").iterdir()]
    assert sum(len(MMLUDataset.load(name=name)["test"]) for name in mmlu) == 14042
    cmmlu = [file.stem for file in shared_data("cmmlu/test").iterdir()]
    assert sum(len(CMMLUDataset.load(name=name)["test"]) for name in cmmlu) == 11582
