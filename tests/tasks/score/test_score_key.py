"""When a score has to be computed again."""

from pathlib import Path

import pytest
from support.predictions import GSM8K_EVAL, Case

from tasks.score.scoring import is_scored, score_key
from tasks.spec.storage.run_folder import write_json


@pytest.fixture
def case(tmp_path: Path) -> Case:
    case = Case(tmp_path, ["#### 1"], eval_cfg=GSM8K_EVAL).predict("1")
    case.score()
    return case


def _is_scored(case: Case) -> bool:
    return is_scored(case.model, case.dataset, case.folder)


def test_an_unchanged_score_is_kept(case: Case) -> None:
    assert _is_scored(case)


def test_changed_predictions(case: Case) -> None:
    case.predict("2")
    assert not _is_scored(case)


def test_changed_scoring(case: Case) -> None:
    evaluator = {"evaluator": {"type": "tasks.score.evaluators.exact.AccEvaluator"}}
    case.dataset = case.dataset.model_copy(update={"eval_cfg": GSM8K_EVAL | evaluator})
    assert not _is_scored(case)


def test_changed_data(case: Case) -> None:
    write_json(case.folder.run_file, {"invocations": [{"data": {"sums": "other"}}]})
    assert not _is_scored(case)


def test_the_record_of_the_run_is_read_once_for_all_pairs(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    write_json(case.folder.run_file, {"invocations": [{"data": {"sums": "one"}}, {"data": {"sums": "other"}}]})
    first = score_key(case.model, case.dataset, case.folder)
    monkeypatch.setattr("tasks.score.score_key.read_json", lambda _path: pytest.fail("read again"))
    assert score_key(case.model, case.dataset, case.folder) == first
    monkeypatch.undo()
    write_json(case.folder.run_file, {"invocations": [{"data": {"sums": "a third one"}}]})
    assert score_key(case.model, case.dataset, case.folder) != first


def test_a_results_file_of_another_system(case: Case) -> None:
    write_json(case.folder.results(case.pair), {"accuracy": 100.0})
    assert not _is_scored(case)


def test_no_predictions(tmp_path: Path) -> None:
    assert not _is_scored(Case(tmp_path, ["a"]))


def test_the_source_of_own_classes_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    module = tmp_path / "grader_of_mine.py"
    module.write_text("class Grader: ...\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    case = Case(tmp_path, ["a"], eval_cfg={"evaluator": {"type": "grader_of_mine.Grader"}}).predict("a")
    before = score_key(case.model, case.dataset, case.folder)
    module.write_text("class Grader: ...  # stricter\n", encoding="utf-8")
    assert score_key(case.model, case.dataset, case.folder) != before


def test_secrets_do_not_count(tmp_path: Path) -> None:
    def key(secret: str) -> str:
        judge = {"type": "x.J", "api_key": secret}
        case = Case(tmp_path, ["a"], eval_cfg={"evaluator": {"type": "x.E", "judge_cfg": judge}}).predict("a")
        return score_key(case.model, case.dataset, case.folder)

    assert key("one") == key("two")
