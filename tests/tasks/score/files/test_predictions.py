"""Reading predictions files of this system and of OpenCompass."""

import os
from pathlib import Path

import pytest
from support.predictions import Case

from tasks.infer.collect import write_predictions
from tasks.infer.predictions_record import Collected, write_collected
from tasks.score.files import predictions
from tasks.score.files.predictions import read_predictions
from tasks.score.scoring import ScoreError
from tasks.spec.storage.run_folder import Pair, RunFolder, write_json


def _shard(case: Case, number: int, *answers: str) -> None:
    path = case.folder.predictions(case.pair)
    records = {str(index): {"prediction": answer} for index, answer in enumerate(answers)}
    write_json(path.with_name(f"{path.stem}_{number}.json"), records)


def test_files_without_statuses(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a", "b"]).predict({"prediction": "a", "gold": "a"}, {"prediction": ""})
    assert case.score().metrics["accuracy"] == 50.0
    assert case.own["samples"]["empty"] == 1


def test_a_label_that_is_falsy_is_an_answer(tmp_path: Path) -> None:
    assert Case(tmp_path, ["0"]).predict({"prediction": 0}).score().metrics["accuracy"] == 100.0


def test_shards_are_read_in_order(tmp_path: Path) -> None:
    case = Case(tmp_path, [str(number) for number in range(12)])
    for number in range(12):
        _shard(case, number, str(number))
    assert case.score().metrics["accuracy"] == 100.0


def test_a_missing_shard_is_named(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a", "b", "c"])
    _shard(case, 0, "a")
    _shard(case, 2, "c")
    with pytest.raises(ScoreError, match=r"partial: 1 of 3 .*sums_1\.json is missing, sums_2\.json is there"):
        case.score()


def test_another_dataset_is_no_shard(tmp_path: Path) -> None:
    """`math_500` is a dataset of its own beside the shards of `math`."""
    case = Case(tmp_path, ["a", "b"])
    _shard(case, 0, "a")
    _shard(case, 1, "b")
    _shard(case, 500, "x")
    assert case.score().metrics["accuracy"] == 100.0


def test_no_predictions(tmp_path: Path) -> None:
    with pytest.raises(ScoreError, match="no predictions"):
        Case(tmp_path, ["a"]).score()


def test_a_torn_file_is_named(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a"]).predict("a")
    path = case.folder.predictions(case.pair)
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(ScoreError, match=r"sums\.json cannot be read"):
        case.score()


def test_a_record_that_is_missing_is_named(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a", "b"])
    write_json(case.folder.predictions(case.pair), {"0": {"prediction": "a"}, "2": {"prediction": "b"}})
    with pytest.raises(ScoreError, match="record 1 of 2 is missing"):
        case.score()


def test_large_files_are_read_record_by_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, pair = RunFolder(tmp_path), Pair("m", "d")
    records = {str(index): {"prediction": "å\u2028", "ppl": 1.5} for index in range(20)}
    write_json(folder.predictions(pair), records)
    monkeypatch.setattr(predictions, "_LARGE", 10)
    assert list(read_predictions(folder, pair)) == list(records.values())
    write_json(folder.predictions(pair), {"0": {}, "2": {}})
    with pytest.raises(ScoreError, match="record '2' stands where 1 belongs"):
        list(read_predictions(folder, pair))


@pytest.fixture
def collected(tmp_path: Path) -> Case:
    """A pair whose predictions this system wrote."""
    case = Case(tmp_path, ["a", "b"])
    path = case.folder.predictions(case.pair)
    written = write_predictions(path, iter([{"prediction": "a", "status": "ok"}] * 2))
    stat = path.stat()
    known = {"size": stat.st_size, "modified_ns": stat.st_mtime_ns, "sha256": written.sha256}
    write_collected(case.folder, case.pair, Collected(plan="p", samples=2, statuses={"ok": 2}, **known))
    return case


def test_predictions_that_were_damaged_have_no_score(collected: Case) -> None:
    assert collected.score().metrics["accuracy"] == 50.0
    path = collected.folder.predictions(collected.pair)
    stat = path.stat()
    path.write_bytes(path.read_bytes().replace(b'"a"', b'"b"'))
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    with pytest.raises(ScoreError, match=r"sums\.json is damaged.*`-r` without `-m`"):
        collected.score()


def test_predictions_that_somebody_changed_are_scored_only_where_that_is_wanted(collected: Case) -> None:
    path = collected.folder.predictions(collected.pair)
    path.write_bytes(path.read_bytes().replace(b'"a"', b'"b"', 1))
    os.utime(path)
    with pytest.raises(ScoreError, match=r"changed after the run wrote it: --rescore-changed"):
        collected.score()
    assert collected.score(rescore_changed=True).metrics["accuracy"] == 0.0
    assert collected.own["changed"] == ["the predictions file was changed after the run wrote it"]
