"""Reading results files without their details."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tasks.score.files import results
from tasks.score.files.results import read_results, stored_score_key, write_results
from tasks.score.files.stored_details import read_details
from tasks.spec.storage.run_folder import write_json


@pytest.mark.parametrize("large", [1, 10**9])
@pytest.mark.parametrize(
    "content",
    [
        {"accuracy": 1.5, "compass": {"score_key": "k", "stderr": {"accuracy": 0.1}}, "details": [{"a": [1]}]},
        {"details": {"0": {"pred": "x"}}, "accuracy": 2, "list": [1, [2]], "text": "t"},
    ],
)
def test_details_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: int, content: dict[str, Any]
) -> None:
    monkeypatch.setattr(results, "_LARGE", large)
    path = tmp_path / "r.json"
    path.write_text(json.dumps(content), encoding="utf-8")
    assert read_results(path) == {key: value for key, value in content.items() if key != "details"}


def test_score_key_of_no_file(tmp_path: Path) -> None:
    assert stored_score_key(tmp_path / "none.json") is None


@pytest.mark.parametrize("large", [1, 10**9])
def test_no_letter_of_our_file_can_change_unseen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, large: int) -> None:
    monkeypatch.setattr(results, "_LARGE", large)
    metrics, own = {"accuracy": 75.5}, {"samples": {"n": 2}, "score_key": "k"}
    details = [{"pred": ["B"], "correct": [True]}, {"pred": ["C"], "correct": [False]}]
    write_results(path := tmp_path / "r.json", metrics, own, details)
    assert read_results(path) == {**metrics, "compass": own} and list(read_details(path)) == details
    written = path.read_bytes()
    entry = re.search(rb'\n +"file_crc32": ".{8}"\n +\}', written)
    assert entry
    for place in range(len(written)):
        if entry.start() <= place < entry.end():  # then it is a file without a checksum, with all that was written
            continue
        path.write_bytes(written[:place] + bytes([written[place] ^ 1]) + written[place + 1 :])
        for read in (read_results, lambda path: list(read_details(path))):
            with pytest.raises(ValueError, match=r".+"):
                read(path)
        assert stored_score_key(path) is None


def test_details_that_opencompass_keyed_by_number_may_be_long(tmp_path: Path) -> None:
    details = {str(number): {"pred": "x" * 80, "correct": True} for number in range(20_000)}
    write_results(path := tmp_path / "r.json", {"accuracy": 75.5}, {"station": "ours"}, details)
    assert path.stat().st_size > 2 << 20
    assert read_results(path) == {"accuracy": 75.5, "compass": {"station": "ours"}}
    assert len(list(read_details(path))) == 20_000


def test_a_file_without_a_checksum_is_read(tmp_path: Path) -> None:
    head = {"accuracy": 75.5, "compass": {"score_key": "k"}}
    write_json(path := tmp_path / "r.json", head)
    assert read_results(path) == head and stored_score_key(path) == "k"
