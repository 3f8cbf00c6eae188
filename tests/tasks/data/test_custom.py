from pathlib import Path

import pytest

from tasks.data.custom import CustomDataset
from tasks.spec.findings import FindingKind, UserError


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.jsonl").write_text('{"q": 1}\n')
    (tmp_path / "b.csv").write_text("q\n1\n")
    (tmp_path / "c.txt").write_text("q")
    return tmp_path


def test_the_suffix_decides_how_a_file_is_read(folder: Path) -> None:
    assert CustomDataset.load(str(folder / "a.jsonl")) == [{"q": 1}]
    assert CustomDataset.load(str(folder), file_name="b.csv") == [{"q": "1"}]


def test_local_mode_reads_the_path_as_it_is(
    folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(folder))
    monkeypatch.chdir(tmp_path_factory.mktemp("empty"))
    assert CustomDataset.load("a.jsonl") == [{"q": 1}]
    with pytest.raises(UserError, match="no data at"):
        CustomDataset.load("a.jsonl", local_mode=True)


def test_a_folder_needs_a_file_name(folder: Path) -> None:
    with pytest.raises(UserError, match=r"(?s)a folder, not a file.*a\.jsonl, b\.csv"):
        CustomDataset.load(str(folder))


def test_other_files_are_refused(folder: Path) -> None:
    with pytest.raises(UserError, match=r"cannot read \.txt files"):
        CustomDataset.load(str(folder / "c.txt"))


def test_a_missing_file_of_a_folder_is_a_finding_about_the_machine(folder: Path) -> None:
    with pytest.raises(UserError, match=r"d\.jsonl") as error:
        CustomDataset.load(str(folder), file_name="d.jsonl")
    assert error.value.findings[0].kind is FindingKind.MACHINE
