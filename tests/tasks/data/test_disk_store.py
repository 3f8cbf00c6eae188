"""Rows kept on disk are the rows that were loaded."""

from pathlib import Path
from typing import Any

import pytest
from support.dataset_specs import dataset_spec

from tasks.data.disk_store import Spool, spooled
from tasks.data.loading import load_dataset


def test_values_come_back_in_order_by_index_slice_and_iteration() -> None:
    values = [{"n": n, "text": "x" * (n % 50)} for n in range(1000)]
    spool = Spool(values)
    assert len(spool) == 1000
    assert list(spool) == values
    assert spool[999] == spool[-1] == values[-1]
    assert spool[10:30:7] == values[10:30:7]
    with pytest.raises(IndexError):
        spool[1000]


def test_values_added_after_reading_are_read_as_well() -> None:
    spool = Spool(["a"])
    assert spool[0] == "a"
    spool.append("b")
    assert list(spool) == ["a", "b"]


@pytest.mark.parametrize("value", ["\ud800 alone", "a\u2028b\x00c", 2**70, None, ["x", {"y": [1.5, True]}]])
def test_unusual_values_are_kept(value: Any) -> None:
    assert Spool([value])[0] == value


@pytest.mark.parametrize("stranger", [(1, 2), float("nan"), {1: "integer key"}, {"a", "b"}, b"bytes"])
def test_rows_that_json_would_change_stay_as_they_are(stranger: Any) -> None:
    rows = [*({"column": number} for number in range(1500)), {"column": stranger}, {"column": "last"}]
    kept = spooled(iter(rows))
    assert kept == rows
    assert kept[1500]["column"] is stranger


def test_few_rows_stay_in_memory() -> None:
    assert spooled(iter(range(999))) == list(range(999))
    assert isinstance(spooled(iter(range(1000))), Spool)


def test_a_long_dataset_is_the_same_dataset(tmp_path: Path) -> None:
    path = tmp_path / "long.jsonl"
    path.write_text("".join(f'{{"question": "{n}?", "answer": {n}}}\n' for n in range(3000)))
    data = load_dataset(dataset_spec(arguments={"path": str(path)}))
    assert len(data.test) == 3000
    assert data.test[2999] == {"question": "2999?", "answer": 2999}
    assert list(data.train) == list(data.test)
