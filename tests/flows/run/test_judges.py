"""Whole runs whose answers a judge scores."""

import json
import re
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from support.fake_backend import add
from support.judged_workspace import BY_JUDGE, CASCADE, WATCHING, JudgedWorkspace, is_judge
from support.scripted_server import Call, Turn, failed
from support.workspace import ROOT

from flows.terminal.cli import main


def mostly_right(question: str) -> str:
    """The model is wrong about 3 + 4 and says nothing about 5 + 6."""
    return {"What is 3 + 4?": "8", "What is 5 + 6?": ""}.get(question, add(question))


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[JudgedWorkspace]:
    workspace = JudgedWorkspace(tmp_path, mostly_right)
    with workspace.server:
        yield workspace


def run(workspace: JudgedWorkspace, *arguments: str) -> int:
    return main([str(workspace.config), "--inline", "--no-progress", *arguments])


def about(question: str, turn: Turn):
    """The judge does this about one question, and is honest about the others."""
    return lambda call: turn if f"is {question}?" in call.last_user else None


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def test_a_judge_named_by_the_tutorials_loop_scores_the_answers(workspace: JudgedWorkspace):
    workspace.write_judged({"sums": 10})
    assert run(workspace) == 0
    results = workspace.read("results/adder/sums.json")
    assert results["accuracy"] == 80.0 and (results["correct_count"], results["incorrect_count"]) == (8, 1)
    assert workspace.asked == 9, "nobody is asked about an empty answer"
    detail = results["details"][3]
    assert detail["correct"] == [False] and detail["grade"] == ["B"] and detail["origin_prediction"] == ["8"]
    [judge] = results["compass"]["judges"]
    assert judge["judge"] == "judge-model" and judge["verdicts"] == 9 and judge["tokens"]["prompt_tokens"] > 0
    assert results["compass"]["stderr"]["accuracy"] > 0
    raw = workspace.read("results/adder/sums_replica0.json")
    assert raw["3"]["prediction"] == "B" and "SAID: 8" in raw["3"]["origin_prompt"][0]["prompt"]


def test_scoring_again_asks_nothing_and_a_changed_judge_everything(
    workspace: JudgedWorkspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write_judged({"sums": 10})
    assert run(workspace) == 0
    first = workspace.read("results/adder/sums.json")
    assert run(workspace, "-m", "eval", "-r") == 0
    assert run(workspace, "-r") == 0
    assert workspace.asked == 9 and workspace.read("results/adder/sums.json")["accuracy"] == first["accuracy"]
    workspace.write_judged({"sums": 10}, max_seq_len=4096)
    assert "judge judge-model" not in capsys.readouterr().err
    assert run(workspace, "-r") == 0
    assert "the settings of the judge judge-model" in capsys.readouterr().err
    assert workspace.asked == 18
    assert workspace.server.requests == 10 + 18, "the model itself is not asked again"


def test_an_unreadable_verdict_is_asked_for_again_then_left_out_and_counted(
    workspace: JudgedWorkspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write_judged({"sums": 10})
    workspace.judge = about("1 + 2", Turn(text="Sorry, I cannot judge."))
    assert run(workspace) == 0
    results = workspace.read("results/adder/sums.json")
    assert results["accuracy"] == pytest.approx(100 * 7 / 9) and results["invalid_count"] == 1
    assert workspace.asked == 10
    counts = results["compass"]["samples"]
    assert (counts["n"], counts["counted"], counts["no_verdict"]) == (10, 9, 1)
    detail = results["details"][1]
    assert detail["correct"] == [None] and detail["no_verdict"] == ["invalid"]
    assert detail["origin_grade_response"] == ["Sorry, I cannot judge."]
    assert run(workspace, "-m", "eval", "-r") == 0
    assert workspace.asked == 10
    shown = capsys.readouterr().out
    assert "1 of 10 samples have no verdict" in shown and "judge judge-model: " in shown


def test_the_second_answer_counts_where_the_first_cannot_be_read(workspace: JudgedWorkspace):
    workspace.write_judged({"sums": 3})
    said: list[str] = []

    def judge(call: Call) -> Turn | None:
        said.append(call.last_user)
        return Turn(text="Hm.") if said.count(call.last_user) == 1 else None

    workspace.judge = judge
    assert run(workspace) == 0
    results = workspace.read("results/adder/sums.json")
    assert results["accuracy"] == 100.0 and results["compass"]["judges"][0]["asked_again"] == 3


def test_a_judge_that_does_not_answer_leaves_samples_out_and_is_asked_again_on_resume(workspace: JudgedWorkspace):
    workspace.write_judged({"sums": 40})
    workspace.judge = about("1 + 2", failed(400))
    assert run(workspace) == 0
    results = workspace.read("results/adder/sums.json")
    assert results["compass"]["samples"]["no_verdict"] == 1 and results["error_count"] == 1
    workspace.judge = lambda call: None
    asked = workspace.asked
    assert run(workspace, "-r") == 0
    assert workspace.asked == asked + 1
    assert workspace.read("results/adder/sums.json")["compass"]["samples"]["no_verdict"] == 0


def test_a_judge_that_is_not_there_fails_the_pair_with_its_reason(
    workspace: JudgedWorkspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write_judged({"sums": 10})
    workspace.judge = lambda call: failed(404, message="no model the-judge")
    assert run(workspace) == 1
    assert re.search(r"judge-model did not answer.*no model the-judge", capsys.readouterr().err.replace("\n", " "))
    assert not (workspace.run_folder / "results/adder/sums.json").exists()


@pytest.mark.parametrize(("parallel", "asked"), [("False", 1), ("True", 9)])
def test_a_cascade_asks_about_what_the_rule_finds_wrong_or_about_all(
    workspace: JudgedWorkspace, parallel: str, asked: int
):
    workspace.write_judged({"sums": 10}, CASCADE.replace("False", parallel))
    workspace.judge = about("3 + 4", Turn(text="A: CORRECT"))
    assert run(workspace) == 0
    results = workspace.read("results/adder/sums.json")
    assert results["accuracy"] == 90.0 and workspace.asked == asked
    [stats] = results["cascade_stats"]
    assert (stats["rule_correct"], stats["llm_evaluated"], stats["final_correct"]) == (8, asked, 9)
    detail = results["details"][3]
    assert detail["cascade_correct"] == [True] and detail["rule_evaluation"][0]["correct"] is False
    assert detail["llm_evaluation"][0]["llm_correct"] is True


def test_a_cascade_leaves_out_what_the_judge_has_no_verdict_on(workspace: JudgedWorkspace):
    workspace.write_judged({"sums": 10}, CASCADE)
    workspace.judge = lambda call: Turn(text="no idea")
    assert run(workspace) == 0
    results = workspace.read("results/adder/sums.json")
    assert results["accuracy"] == pytest.approx(100 * 8 / 9)
    assert results["compass"]["samples"]["no_verdict"] == 1 and results["cascade_stats"][0]["no_verdict"] == 1


def test_the_environment_says_who_judges_where_the_configuration_does_not(
    workspace: JudgedWorkspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    workspace.write_judged({"sums": 3}, BY_JUDGE)
    text = workspace.config.read_text()
    workspace.config.write_text(text[: text.index("judge_cfg = dict(\n    abbr=")])
    assert run(workspace) == 2
    assert "OC_JUDGE_MODEL" in capsys.readouterr().err and workspace.server.requests == 0
    monkeypatch.setenv("OC_JUDGE_MODEL", "the-judge")
    monkeypatch.setenv("OC_JUDGE_API_KEY", "sk-judge-secret-0123456789")
    monkeypatch.setenv("OC_JUDGE_API_BASE", workspace.server.url)
    assert run(workspace) == 0
    assert workspace.read("results/adder/sums.json")["compass"]["judges"][0]["judge"] == "the-judge"
    assert workspace.server.calls[-1].key == "sk-judge-secret-0123456789"


def test_the_judges_key_is_in_no_file_of_the_run(workspace: JudgedWorkspace):
    key = "sk-canary-of-the-judge-9876543210"
    workspace.write_judged({"sums": 3}, key=key)
    workspace.judge = about("1 + 2", failed(400, message=f"bad key {key}"))
    run(workspace, "--fail-on-error", "1")
    assert workspace.server.calls[-1].key == key
    files = [path for path in workspace.run_folder.rglob("*") if path.is_file()]
    assert len(files) > 5 and not [path for path in files if key.encode() in path.read_bytes()]


def test_with_the_watch_task_judging_begins_while_other_pairs_are_still_asked(workspace: JudgedWorkspace):
    workspace.write_judged({"first": 3, "second": 20}, extra=WATCHING)
    late = [f"What is {n} + {n + 1}?" for n in range(3, 20)]
    judged_first = lambda: workspace.asked > 0  # noqa: E731
    workspace.model = lambda call: Turn(until=judged_first) if call.last_user in late else None
    assert run(workspace) == 0, "inference of the second dataset waits for the judge of the first"
    assert workspace.asked == 3 + 19


def test_every_repeat_of_a_row_is_judged_by_itself(workspace: JudgedWorkspace):
    workspace.write_judged({"sums": 3}, extra="datasets[0]['n'] = 2\ndatasets[0]['k'] = 2\n")
    assert run(workspace) == 0
    assert workspace.asked == 6
    results = workspace.read("results/adder/sums.json")
    assert results["accuracy (2 runs average)"] == 100.0 and results["G-Pass@2_1.0"] == 100.0
    assert len(workspace.read("results/adder/sums_replica1.json")) == 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_a_scoring_that_is_ended_while_judges_are_asked_goes_on_where_it_was(workspace: JudgedWorkspace, number: int):
    workspace.write_judged({"sums": 20})
    workspace.judge = lambda call: Turn(until=lambda: False) if workspace.asked > 10 else None
    process = workspace.start(str(workspace.config), "--inline", "--no-progress")
    wait_for(lambda: workspace.server.in_flight_of("the-judge") == 8)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    if number == signal.SIGINT:
        assert process.returncode == 130 and "--reuse" in errors and "failed:" not in errors
    workspace.judge = lambda call: None
    asked = workspace.asked
    assert run(workspace, "-r") == 0
    assert workspace.asked - asked == 19 - 10


def test_preflight_shows_what_the_judge_says(workspace: JudgedWorkspace, capsys: pytest.CaptureFixture[str]):
    workspace.write_judged({"single": 3, "more": 3}, CASCADE.replace("False", "True"))
    workspace.judge = lambda call: Turn(text="Both say 1, so A: CORRECT")
    assert run(workspace, "--preflight") == 0
    shown = capsys.readouterr().out
    assert shown.count("judge: Both say 1, so A: CORRECT") == 2 and shown.count("verdict: right") == 2
    assert workspace.asked == 2


def test_a_dry_run_counts_the_judges_requests(workspace: JudgedWorkspace, capsys: pytest.CaptureFixture[str]):
    workspace.write_judged({"sums": 10, "more": 3})
    assert run(workspace, "--dry-run") == 0
    assert "judge judge-model: 13 requests at most" in capsys.readouterr().out
    assert run(workspace, "--dry-run", "--json") == 0
    assert json.loads(capsys.readouterr().out)["judge_requests"] == {"judge-model": 13}
    assert workspace.server.requests == 0


def test_the_example_runs_as_it_is(
    workspace: JudgedWorkspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("OPENAI_BASE_URL", workspace.server.url)
    monkeypatch.setenv("OPENAI_API_KEY", "EMPTY")
    monkeypatch.setenv("OPENAI_MODEL", "a-model")
    monkeypatch.setenv("JUDGE_MODEL", "the-judge")
    workspace.server.decide = lambda call: Turn(text="A" if is_judge(call) else "as many as in the book")
    example = ROOT / "configs/examples/eval_llm_judge.py"
    arguments = [str(example), "--inline", "--limit", "4", "--work-dir", str(workspace.work_dir)]
    assert main(arguments) == 0
    results = workspace.read("results/a-model/demo_arithmetic.json")
    assert results["accuracy"] == 100.0 and results["cascade_stats"][0]["rule_correct"] == 0
    asked = next(call for call in workspace.server.calls if is_judge(call)).last_user
    assert "Student: as many as in the book" in asked


def test_a_prompt_that_hides_the_answer_from_the_judge_is_found_before_anything_is_asked(
    workspace: JudgedWorkspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write_judged({"sums": 3})
    workspace.config.write_text(workspace.config.read_text().replace("SAID: {prediction}", "SAID: {predicton}"))
    assert run(workspace) == 2
    assert "the judge's prompt does not show the answer" in capsys.readouterr().err
    assert workspace.server.requests == 0


def test_a_run_that_has_spent_what_it_may_asks_no_judge_and_goes_on_later(
    workspace: JudgedWorkspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write_judged({"first": 20, "second": 20})
    assert run(workspace, "-m", "infer") == 0
    assert run(workspace, "-m", "eval", "-r", "--max-tokens", "1") == 1
    assert workspace.asked < 19, "only those in flight are received"
    assert capsys.readouterr().err.count("budget reached: max_tokens=1") >= 2
    assert run(workspace, "-m", "eval", "-r") == 0
    assert workspace.asked == 38


def test_a_score_by_an_earlier_judge_does_not_stand_for_one_that_could_not_be_finished(
    workspace: JudgedWorkspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write_judged({"sums": 20})
    assert run(workspace) == 0
    workspace.write_judged({"sums": 20}, max_seq_len=4096)
    assert run(workspace, "-r", "--max-tokens", "1") == 1
    assert not (workspace.run_folder / "results/adder/sums.json").exists()
    assert "adder / sums: not scored" in capsys.readouterr().out


def test_an_evaluator_of_ones_own_can_ask_judges_as_the_guide_shows(workspace: JudgedWorkspace):
    [code] = re.findall(r"```python\n(from.*?)```", (ROOT / "docs/judges.md").read_text(), re.DOTALL)
    (workspace.folder / "manners.py").write_text(code)
    own = "dict(type='manners.Polite', judge_cfg=dict())"
    workspace.write_judged({"sums": 10}, own)
    said = {"1": "yes", "3": "perhaps"}
    workspace.judge = lambda call: Turn(text=said.get(call.last_user.split("\n")[1], "no"))
    assert run(workspace) == 0
    results = workspace.read("results/adder/sums.json")
    assert results["polite"] == pytest.approx(100 * 1 / 9) and workspace.asked == 11
    assert results["compass"]["samples"]["no_verdict"] == 1


def test_a_cascade_without_a_rule_is_found_before_anything_is_asked(
    workspace: JudgedWorkspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write_judged({"sums": 3}, "dict(type=CascadeEvaluator, llm_evaluator=llm_evaluator)")
    assert run(workspace) == 2
    assert "the cascade has no rule" in capsys.readouterr().err
