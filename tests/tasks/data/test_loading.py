import json
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.dataset_specs import dataset_spec, sums

from tasks.data.interface import LoadedDataset
from tasks.data.loading import DatasetCache, load_dataset
from tasks.spec.findings import FindingKind, Place, UserError
from tasks.spec.specs import DatasetSpec

OWN_LOADERS = '''
import threading

LOADS = []
ROWS = [{"question": str(number), "answer": str(number)} for number in range(4)]


class Columns:
    """As a Hugging Face Dataset looks from outside."""

    column_names = ["question", "answer"]

    def __len__(self):
        return len(ROWS)

    def __getitem__(self, index):
        return ROWS[index]


class Static:
    @staticmethod
    def load(path="x"):
        LOADS.append(path)
        return ROWS


class Instance:
    def load(self, path):
        return {"train": ROWS[:1], "dev": ROWS}


class Table:
    @classmethod
    def load(cls):
        return {"train": Columns(), "test": Columns()}


class Lazy:
    @staticmethod
    def load():
        return iter(ROWS)


class ColumnsFirst:
    @staticmethod
    def load():
        return {"train": {"question": ["1"]}, "test": {"question": ["1"]}}


class Numbers:
    @staticmethod
    def load():
        return [1, 2]


class Nothing:
    @staticmethod
    def load():
        return []


class Broken:
    @staticmethod
    def load():
        return {}["no such key"]


class NoFile:
    @staticmethod
    def load():
        open("/nowhere/data.txt")


class NoLoad:
    pass
'''


@pytest.fixture
def own(tmp_path: Path, request: pytest.FixtureRequest) -> "OwnLoaders":
    """A user's module with dataset classes, under a name of its own in each test."""
    module = f"own_loaders_{abs(hash(request.node.nodeid))}"
    (tmp_path / f"{module}.py").write_text(OWN_LOADERS)
    return OwnLoaders(module, (str(tmp_path),))


class OwnLoaders:
    def __init__(self, module: str, search_path: Sequence[str]) -> None:
        self.module = module
        self.search_path = search_path

    def spec(self, name: str, **options: Any) -> DatasetSpec:
        return dataset_spec(f"{self.module}.{name}", **options)

    def load(self, name: str, **options: Any) -> LoadedDataset:
        return load_dataset(self.spec(name, **options), self.search_path)


def test_rows_without_splits_serve_as_both(own: OwnLoaders) -> None:
    data = own.load("Static")
    assert len(data.train) == len(data.test) == 4
    assert data.test[3] == {"question": "3", "answer": "3"}


def test_splits_are_chosen_and_the_train_split_is_cut(own: OwnLoaders) -> None:
    data = own.load(
        "Instance", arguments={"path": "x"}, train_split="dev", test_split="dev", train_range="[2:]", test_range="[:1]"
    )
    assert [row["question"] for row in data.train] == ["2", "3"]
    assert len(data.test) == 4, "test_range is applied when rows are planned, so that identities see the whole split"


def test_tables_with_column_names_are_accepted(own: OwnLoaders) -> None:
    assert own.load("Table").test[1]["question"] == "1"


def test_an_iterator_is_accepted(own: OwnLoaders) -> None:
    assert len(own.load("Lazy").test) == 4


def test_the_fingerprint_follows_the_content_not_the_place(tmp_path: Path) -> None:
    def fingerprint(name: str, count: int) -> str:
        path = tmp_path / name
        path.write_text("".join(json.dumps(row) + "\n" for row in sums(count)))
        return load_dataset(dataset_spec(arguments={"path": str(path)})).fingerprint

    first = fingerprint("a.jsonl", 3)
    assert fingerprint("b.jsonl", 3) == first
    assert fingerprint("a.jsonl", 4) != first


@pytest.mark.parametrize(
    ("name", "options", "message"),
    [
        (
            "Instance",
            {"arguments": {"path": "x"}},
            "(?s)reader_cfg.test_split: there is no split 'test'.*'train', 'dev'",
        ),
        ("Static", {"arguments": {"paht": "x"}}, "(?s)Static.load takes no argument 'paht'.*'path'"),
        (
            "Static",
            {"input_columns": ("qestion",)},
            "(?s)input_columns: the data have no column 'qestion'.*did you mean 'question'",
        ),
        (
            "Table",
            {"output_column": "anser"},
            "(?s)output_column: the data have no column 'anser'.*did you mean 'answer'",
        ),
        ("ColumnsFirst", {}, "(?s)train is a dict, not a list of rows.*a list of dicts"),
        ("Numbers", {}, "a int among its rows"),
        ("Nothing", {}, "no rows to ask"),
        ("Broken", {}, "(?s)Broken.load failed: KeyError: 'no such key'.*own_loaders_"),
        ("NoLoad", {}, "has no method load"),
        ("Absent", {}, "has no 'Absent'"),
    ],
)
def test_what_the_user_can_mend_is_said(own: OwnLoaders, name: str, options: dict[str, Any], message: str) -> None:
    with pytest.raises(UserError, match=message):
        own.load(name, **options)


def test_a_file_that_an_own_class_misses_is_a_finding_about_the_machine(own: OwnLoaders) -> None:
    with pytest.raises(UserError, match="/nowhere/data.txt") as error:
        own.load("NoFile")
    assert error.value.findings[0].kind is FindingKind.MACHINE


def test_errors_name_the_dataset_and_those_of_a_file_its_line(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"question": "1"}\nnonsense\n')
    place = Place("config.py", 5, "datasets[0]")
    for path, expected in ((tmp_path / "a.jsonl", Place(str(tmp_path / "a.jsonl"), 2)), (tmp_path / "b.jsonl", place)):
        spec = dataset_spec(arguments={"path": str(path)}).model_copy(update={"place": place})
        with pytest.raises(UserError) as error:
            load_dataset(spec)
        assert error.value.findings[0].place == expected


def test_a_row_that_lacks_a_column_is_named(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text('{"question": "1", "answer": "1"}\n{"questions": "2", "answer": "2"}\n')
    with pytest.raises(UserError, match="(?s)row 1 has no column 'question'.*did you mean 'questions'"):
        load_dataset(dataset_spec(arguments={"path": str(path)}))


def test_a_cache_loads_once_for_all_threads_and_all_entries_of_a_dataset(own: OwnLoaders) -> None:
    cache = DatasetCache(own.search_path)
    specs = [own.spec("Static", arguments={"path": "once"}, test_range=f"[:{count}]") for count in range(1, 9)]
    results: list[LoadedDataset] = []
    threads = [threading.Thread(target=lambda spec=spec: results.append(cache.load(spec))) for spec in specs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 8 and all(result is results[0] for result in results)
    assert __import__(own.module).LOADS == ["once"]


def test_a_cache_checks_the_columns_of_every_entry(own: OwnLoaders) -> None:
    cache = DatasetCache(own.search_path)
    cache.load(own.spec("Static"))
    with pytest.raises(UserError, match="no column 'hint'"):
        cache.load(own.spec("Static", input_columns=("hint",)))


def test_a_failure_is_not_kept(tmp_path: Path) -> None:
    cache, path = DatasetCache(), tmp_path / "a.jsonl"
    spec = dataset_spec(arguments={"path": str(path)})
    with pytest.raises(UserError):
        cache.load(spec)
    path.write_text("".join(json.dumps(row) + "\n" for row in sums(2)))
    assert len(cache.load(spec).test) == 2


def test_a_cache_computes_identities_once_per_content_and_columns(own: OwnLoaders) -> None:
    cache = DatasetCache(own.search_path)
    first = cache.row_identities(own.spec("Static", test_range="[:2]"))
    assert len(first) == 4
    assert cache.row_identities(own.spec("Static", test_range="[2:]")) is first
    assert cache.row_identities(own.spec("Static", input_columns=("question", "answer"))) is not first
