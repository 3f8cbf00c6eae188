from pathlib import Path

import pytest

from tasks.data import paths
from tasks.data.paths import find_data_path, resolve_data_path
from tasks.spec.findings import FindingKind, UserError


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("cache", "here", "home"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path / "here")
    return tmp_path


def put(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("")
    return path


def test_places_are_tried_in_order(folders: Path) -> None:
    last = put(folders / "home/.cache/opencompass/data/a.jsonl")
    assert resolve_data_path("data/a.jsonl") == last
    second = put(folders / "here/data/a.jsonl")
    assert resolve_data_path("./data/a.jsonl") == second
    first = put(folders / "cache/data/a.jsonl")
    assert resolve_data_path("data/a.jsonl") == first


def test_an_absolute_path_is_looked_for_nowhere_else(folders: Path) -> None:
    file = put(folders / "elsewhere/a.jsonl")
    assert resolve_data_path(str(file)) == file
    assert find_data_path("/data/a.jsonl") is None


def test_a_dataset_id_means_its_folder(folders: Path) -> None:
    put(folders / "cache/data/gsm8k/test.jsonl")
    assert resolve_data_path("opencompass/gsm8k") == folders / "cache/data/gsm8k"


def test_packaged_data_lie_below_configs_wherever_we_are(folders: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paths, "_CONFIGS", folders / "installed/configs")
    file = put(folders / "installed/configs/datasets/demo/a.jsonl")
    assert resolve_data_path("configs://datasets/demo/a.jsonl") == file


def test_packaged_data_belong_to_this_installation() -> None:
    assert paths.candidates("configs://datasets/demo/a.jsonl") == [
        Path(__file__).parents[3] / "configs/datasets/demo/a.jsonl"
    ]


def test_absent_data_is_a_finding_about_the_machine_that_names_the_places(folders: Path) -> None:
    with pytest.raises(UserError) as error:
        resolve_data_path("data/b.jsonl")
    [finding] = error.value.findings
    assert finding.kind is FindingKind.MACHINE
    for place in ("cache/data/b.jsonl", "here/data/b.jsonl", "home/.cache/opencompass/data/b.jsonl"):
        assert str(folders / place) in finding.message
    assert "COMPASS_DATA_CACHE" in finding.remedy


def test_without_the_variable_only_the_usual_places_are_named(monkeypatch: pytest.MonkeyPatch, folders: Path) -> None:
    monkeypatch.delenv("COMPASS_DATA_CACHE")
    assert paths.candidates("a") == [folders / "here/a", folders / "home/.cache/opencompass/a"]
