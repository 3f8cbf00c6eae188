import json
import re
from pathlib import Path

import pytest
from support.shared_data import shared_data

from tasks.data.benchmarks.gsm8k import GSM8KDataset
from tasks.spec.findings import UserError


@pytest.fixture(autouse=True)
def offline(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An empty machine without network: whatever a test needs it puts there."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    monkeypatch.delenv("COMPASS_DATA_CACHE", raising=False)
    monkeypatch.chdir(tmp_path)


def put(folder: Path, split: str, count: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    rows = [{"question": f"{number} apples?", "answer": f"#### {number}"} for number in range(count)]
    (folder / f"{split}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("path", ["opencompass/gsm8k", "data/gsm8k", "./data/gsm8k"])
def test_both_splits_come_from_the_data_folder(tmp_path: Path, path: str) -> None:
    put(tmp_path / "data/gsm8k", "train", 2)
    put(tmp_path / "data/gsm8k", "test", 3)
    splits = GSM8KDataset.load(path)
    assert {name: len(rows) for name, rows in splits.items()} == {"train": 2, "test": 3}
    assert splits["test"][2] == {"question": "2 apples?", "answer": "#### 2"}


def test_the_data_cache_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    put(tmp_path / "data/gsm8k", "train", 1)
    put(tmp_path / "data/gsm8k", "test", 1)
    put(tmp_path / "cache/data/gsm8k", "train", 1)
    put(tmp_path / "cache/data/gsm8k", "test", 3)
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(tmp_path / "cache"))
    assert len(GSM8KDataset.load()["test"]) == 3


def test_a_folder_that_lacks_a_split_is_an_error_not_a_reason_to_look_elsewhere(tmp_path: Path) -> None:
    put(tmp_path / "data/gsm8k", "test", 3)
    with pytest.raises(UserError, match=r"gsm8k/train\.jsonl"):
        GSM8KDataset.load()


def test_another_folder_is_never_replaced_by_the_hub() -> None:
    with pytest.raises(UserError) as error:
        GSM8KDataset.load("data/my_gsm8k")
    assert "hub" not in str(error.value).lower()


def test_the_published_test_split() -> None:
    splits = GSM8KDataset.load(str(shared_data("gsm8k")))
    assert len(splits["test"]) == 1319
    assert all(re.search(r"#### -?[\d,]+$", row["answer"]) for row in splits["test"])
