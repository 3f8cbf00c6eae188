"""Details of results files in every layout that is met."""

import json
from pathlib import Path
from typing import Any

import pytest

from tasks.score.files import stored_details
from tasks.score.files.results import write_results
from tasks.score.files.stored_details import read_details

ENTRIES = [{"example_abbr": f"a_{n}", "pred": ['x"\n        {', n], "status": ["ok"]} for n in range(5)]


def write(path: Path, content: Any, indent: int | None = 4) -> Path:
    path.write_text(json.dumps(content, indent=indent, ensure_ascii=False))
    return path


def test_our_own_files(tmp_path: Path):
    path = tmp_path / "a.json"
    write_results(path, {"accuracy": 1.0, "per_kind": [{"details": 1}]}, {}, iter(ENTRIES))
    assert list(read_details(path)) == ENTRIES


@pytest.mark.parametrize("indent", [4, 2, None])
def test_lists_in_any_layout(tmp_path: Path, indent: int | None):
    content = {"accuracy": 50.0, "details": ENTRIES, "after": [{"x": [1]}]}
    assert list(read_details(write(tmp_path / "a.json", content, indent))) == ENTRIES


@pytest.mark.parametrize("large", [False, True])
def test_opencompass_numbers_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: bool):
    monkeypatch.setattr(stored_details, "_LARGE", 0 if large else 1 << 20)
    content = {"details": {"type": "GEN", "0": {"pred": "A"}, "1": {"pred": "B"}}, "accuracy": 1}
    assert list(read_details(write(tmp_path / "a.json", content))) == [{"pred": "A"}, {"pred": "B"}]
    assert list(read_details(write(tmp_path / "b.json", {"details": ["A"]}, None))) == [{"detail": "A"}]


def test_not_a_number_is_read_and_no_details_are_none(tmp_path: Path):
    [first, second] = read_details(write(tmp_path / "a.json", {"details": [{"x": float("nan")}, {"x": 1}]}))
    assert first["x"] != first["x"] and second == {"x": 1}
    assert list(read_details(write(tmp_path / "b.json", {"accuracy": 1}))) == []
    assert list(read_details(write(tmp_path / "c.json", {"details": []}))) == []


def test_blocks_may_end_anywhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    path = write(tmp_path / "a.json", {"accuracy": 50.0, "details": ENTRIES})
    for size in range(1, 60):
        monkeypatch.setattr(stored_details, "_BLOCK", size)
        assert list(read_details(path)) == ENTRIES
