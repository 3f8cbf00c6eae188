"""Pairs of many samples: the same scores on several processes, in little memory, however the file is written."""

import json
import tracemalloc
from pathlib import Path

import pytest
from support.predictions import Case

from tasks.score.files.record_slices import is_sliceable, record_slices
from tasks.score.scoring import ScoreError

_CHOICE = {
    "evaluator": {"type": "tasks.score.evaluators.exact.AccEvaluator"},
    "pred_postprocessor": {"type": "tasks.score.answers.postprocessors.first_option_postprocess", "options": "ABCD"},
}
_SAID = ("The answer is A.", "B", "I cannot tell.", "Answer: **D**")


def _choices(folder: Path, count: int) -> Case:
    case = Case(folder, ["ABCD"[number % 4] for number in range(count)], eval_cfg=_CHOICE)
    return case.predict(*(_SAID[number % 4] for number in range(count)))


def test_several_processes_find_the_same_in_the_same_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alone = _choices(tmp_path / "alone", 1000)
    alone.score()
    monkeypatch.setattr("tasks.score.parallel._WORTH_IT_SECONDS", 0.0)
    monkeypatch.setattr("tasks.score.parallel._cores", lambda: 2)
    spread = _choices(tmp_path / "spread", 1000)
    spread.score()
    assert spread.results["details"] == alone.results["details"]
    assert spread.own["samples"] == alone.own["samples"]
    assert spread.own["samples"]["unparsed"] == 250
    assert spread.own["rules"] == {"answer-is": 250, "answer:": 250, "first-line": 250}


def test_a_failure_in_another_process_is_told_as_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.score.parallel._WORTH_IT_SECONDS", 0.0)
    monkeypatch.setattr("tasks.score.parallel._cores", lambda: 2)
    step = {"type": "tasks.score.answers.text_postprocessors.match_answer_pattern", "answer_pattern": "("}
    case = Case(tmp_path, ["a"] * 300, eval_cfg={**_CHOICE, "pred_postprocessor": step})
    with pytest.raises(ScoreError, match=r"match_answer_pattern failed on sample 0: ValueError: the pattern '\('"):
        case.predict(*["1"] * 300).score()


def test_memory_hardly_grows_with_the_samples(tmp_path: Path) -> None:
    """Half of what is allowed here are the rows themselves, which only a long dataset keeps off memory."""
    few, many = (_choices(tmp_path / str(count), count) for count in (1_000, 11_000))
    peaks: list[int] = []
    for case in (few, few, many):  # the first one fills caches
        tracemalloc.start()
        case.score()
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert (peaks[2] - peaks[1]) / 10_000 < 640


@pytest.mark.parametrize("indent", [None, 2, 4])
def test_files_are_read_however_they_are_written(tmp_path: Path, indent: int | None) -> None:
    case = Case(tmp_path, ["a"] * 3)
    records = {str(n): {"prediction": text} for n, text in enumerate(['a\n    "1": {', "a", "x"])}
    path = case.folder.predictions(case.pair)
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(records, indent=indent))
    assert is_sliceable(path) is (indent == 4)
    assert case.score().metrics["accuracy"] == pytest.approx(100 / 3)
    assert case.results["details"][0]["origin_prediction"] == ['a\n    "1": {']


def test_records_in_another_order(tmp_path: Path) -> None:
    case = Case(tmp_path, ["a", "b", "c"])
    path = case.folder.predictions(case.pair)
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({str(n): {"prediction": "abc"[n]} for n in (0, 2, 1)}, indent=4))
    assert case.score().metrics["accuracy"] == 100.0


def test_slices_are_the_records(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.score.files.record_slices._BLOCK", 7)
    records = {str(n): {"prediction": f'say "{n}",\n    "', "usage": {"a": [1, 2]}} for n in range(5)}
    path = tmp_path / "p.json"
    path.write_text(json.dumps(records, indent=4) + "\n")
    assert {key.decode(): json.loads(value) for key, value in record_slices(path)} == records
