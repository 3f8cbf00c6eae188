"""Reading results files without their details."""

import json
from pathlib import Path
from typing import Any

import pytest

from tasks.score import results
from tasks.score.results import read_results, stored_score_key


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
