"""JSON read piece by piece, and what it is not read for."""

import json
from io import BytesIO
from pathlib import Path

import pytest

from tasks.score.files import predictions, stored_details
from tasks.score.files.predictions import read_predictions
from tasks.score.files.stored_details import read_details
from tasks.score.score_error import ScoreError
from tasks.spec.storage.json_stream import json_entries, json_items, json_kind
from tasks.spec.storage.run_folder import Pair, RunFolder

DEEP = '{"0": ' + "[" * 2000 + "]" * 2000 + "}"


def test_pieces_of_a_file() -> None:
    text = b'{"details": {"0": {"pred": "[[[["}, "1": [0.5, 2]}, "other": []}'
    assert list(json_entries(BytesIO(text), "details")) == [("0", {"pred": "[[[["}), ("1", [0.5, 2])]
    assert list(json_items(BytesIO(text), "details.0.pred")) == ["[[[["]
    assert [json_kind(BytesIO(text), name) for name in ("details", "other", "none")] == [
        "start_map",
        "start_array",
        None,
    ]


@pytest.mark.parametrize("text", [DEEP, '{"0": [1, 2', '{"0": nan}', '{"0": "\udcff"}', ""])
def test_what_cannot_be_read_is_a_value_error(text: str) -> None:
    data = text.encode("utf-8", "surrogateescape")
    with pytest.raises(ValueError, match=r"."):
        list(json_items(BytesIO(data), "0.item"))
    with pytest.raises(ValueError, match=r"."):
        list(json_entries(BytesIO(data), ""))


@pytest.mark.parametrize("large", [False, True])
def test_files_of_a_run_are_not_read_into_the_depth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, large: bool
) -> None:
    for module in (predictions, stored_details):
        monkeypatch.setattr(module, "_LARGE", 0 if large else 1 << 20)
    folder, pair = RunFolder(tmp_path), Pair("model", "data")
    depth = 2000 if large else 100_000
    path = folder.predictions(pair)
    path.parent.mkdir(parents=True)
    path.write_text('{"0": ' + "[" * depth + "]" * depth + "}")
    with pytest.raises(ScoreError, match="nested too deeply"):
        list(read_predictions(folder, pair))
    details = tmp_path / "results.json"
    details.write_text(json.dumps({"accuracy": 1.0})[:-1] + ', "details": ' + "[" * depth + "]" * depth + "}")
    with pytest.raises(ValueError, match="nested too deeply"):
        list(read_details(details))
