"""Loaders of the benchmarks that ask for programs."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from support.shared_data import shared_data
from support.specs import write_rows

from tasks.data.benchmarks.cruxeval import CRUXEvalDataset
from tasks.data.benchmarks.humaneval import HumanevalDataset
from tasks.data.benchmarks.humanevalx import HumanevalXDataset
from tasks.data.benchmarks.mbpp import MBPPDataset, MBPPDatasetV2, SanitizedMBPPDataset
from tasks.spec.findings import UserError

FUNCTION = {"task_id": "HumanEval/0", "prompt": "def f():\n", "entry_point": "f", "test": ""}


@pytest.fixture(autouse=True)
def empty_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("COMPASS_DATA_CACHE", raising=False)
    monkeypatch.chdir(tmp_path)


def task(number: int, **columns: Any) -> dict[str, Any]:
    tests = [f"assert f({number}) == 1", f"assert f({number}) != 2"]
    common = {"task_id": number, "code": "def f(x): return 1", "test_list": tests}
    return {"text": "t", "test_setup_code": "", "challenge_test_list": [], **common, **columns}


@pytest.mark.parametrize(
    "path", ["opencompass/humaneval", "data/humaneval", "data/humaneval/human-eval-v2-20210705.jsonl"]
)
def test_humaneval_is_found_by_id_folder_and_file(path: str) -> None:
    write_rows(Path("data/humaneval/human-eval-v2-20210705.jsonl"), [FUNCTION])
    assert HumanevalDataset.load(path) == [FUNCTION]


def test_rows_are_repeated_one_after_the_other() -> None:
    write_rows(Path("h.jsonl"), [FUNCTION, {**FUNCTION, "task_id": "HumanEval/1"}])
    rows = HumanevalDataset.load("h.jsonl", num_repeats=2)
    assert [row["task_id"] for row in rows] == [f"HumanEval/{number}" for number in (0, 0, 1, 1)]


def test_a_local_path_is_looked_for_nowhere_else(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_rows(tmp_path / "cache/h.jsonl", [FUNCTION])
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(tmp_path / "cache"))
    assert HumanevalDataset.load("h.jsonl")
    with pytest.raises(UserError, match=r"h\.jsonl"):
        HumanevalDataset.load("h.jsonl", local_mode=True)


def test_a_folder_without_the_file_is_an_error() -> None:
    Path("data/humaneval").mkdir(parents=True)
    with pytest.raises(UserError, match=r"data/humaneval/human-eval-v2-20210705\.jsonl"):
        HumanevalDataset.load("data/humaneval")


def test_humanevalx_is_packed_or_not() -> None:
    folder = Path("data/humanevalx")
    folder.mkdir(parents=True)
    with gzip.open(folder / "humanevalx_python.jsonl.gz", "wt") as file:
        file.write(json.dumps(FUNCTION) + "\n")
    write_rows(folder / "humanevalx_go.jsonl", [{**FUNCTION, "prompt": "func"}])
    assert HumanevalXDataset.load()[0]["prompt"] == "def f():\n"
    assert HumanevalXDataset.load(language="go")[0]["prompt"] == "func"
    with pytest.raises(UserError, match="did you mean 'python'"):
        HumanevalXDataset.load(language="pyton")


def test_a_broken_package_is_an_error_that_names_it() -> None:
    folder = Path("data/humanevalx")
    folder.mkdir(parents=True)
    packed = gzip.compress(b'{"a": 1}\n' * 1000)
    for content in (packed[:-10], b"no package", packed[:20] + b"\xff" * 20):
        (folder / "humanevalx_python.jsonl.gz").write_bytes(content)
        with pytest.raises(UserError, match=r"humanevalx_python\.jsonl\.gz: cannot be unpacked"):
            HumanevalXDataset.load()


def test_mbpp_is_split_by_task_number() -> None:
    write_rows(Path("data/mbpp/mbpp.jsonl"), [task(number) for number in (1, 10, 11, 510, 511)])
    for dataset in (MBPPDataset, MBPPDatasetV2):
        splits = dataset.load()
        assert [row["task_id"] for row in splits["train"]] == [1, 10]
        assert [row["task_id"] for row in splits["test"]] == [11, 510]
        assert [row["task_id"] for row in dataset.load(num_repeats=2)["test"]] == [11, 11, 510, 510]


def test_mbpp_tests_come_as_text_and_with_what_has_to_run_before() -> None:
    write_rows(Path("data/mbpp/mbpp.jsonl"), [task(11, test_setup_code="root = 1")])
    (row,) = MBPPDataset.load()["test"]
    tests = "assert f(11) == 1\nassert f(11) != 2"
    assert (row["test_list"], row["test_list_2"]) == (tests, f"root = 1\n{tests}")
    assert row["test_column"] == {"test_list_2": f"root = 1\n{tests}", "task_id": 11}
    assert row["test_case"] == tests.split("\n")


def test_sanitized_mbpp_has_the_same_columns() -> None:
    row = task(11, prompt="p", test_imports=["import math"])
    del row["text"]
    write_rows(Path("data/mbpp/sanitized-mbpp.jsonl"), [row])
    (loaded,) = SanitizedMBPPDataset.load()["test"]
    assert loaded["text"] == "p"
    assert loaded["test_list_2"].startswith("import math\nassert")


def test_the_published_files() -> None:
    sizes = {name: len(rows) for name, rows in MBPPDataset.load(str(shared_data("mbpp"))).items()}
    assert sizes == {"train": 10, "test": 500}
    sizes = {name: len(rows) for name, rows in SanitizedMBPPDataset.load(str(shared_data("mbpp"))).items()}
    assert sizes == {"train": 7, "test": 257}
    assert len(HumanevalDataset.load(str(shared_data("humaneval")))) == 164
    assert len(HumanevalXDataset.load(str(shared_data("humanevalx")))) == 164
    assert len(CRUXEvalDataset.load(str(shared_data("cruxeval")))) == 800
