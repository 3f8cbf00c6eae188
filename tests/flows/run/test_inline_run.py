"""A whole evaluation without Prefect, as a user sees it."""

import json
import re
import signal
import time
from pathlib import Path

import pytest
from support.scripted_server import failed
from support.workspace import Workspace, kill_group, stored

from flows.terminal.cli import main


def test_a_run_leaves_predictions_scores_summary_and_exit_status_0(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write({"sums": 10})
    assert main([str(workspace.config), "--inline"]) == 0
    assert workspace.read("predictions/adder/sums.json")["9"]["prediction"] == "19"
    assert workspace.read("results/adder/sums.json")["accuracy"] == 100.0
    assert re.search(r"sums\s+\w+\s+accuracy\s+gen\s+100\.00", capsys.readouterr().out)
    kinds = sorted(path.suffix for path in (workspace.run_folder / "summary").iterdir())
    assert kinds == [".csv", ".csv", ".json", ".md", ".txt"]
    assert len(list((workspace.run_folder / "configs").iterdir())) == 1
    assert (workspace.run_folder / "logs/infer/adder/sums.out").exists()
    assert workspace.read("run.json")["invocations"][0]["exit_status"] == 0


def test_a_dry_run_shows_the_plan_and_writes_nothing(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 10, "more": 3})
    before = sorted(workspace.folder.rglob("*"))
    assert main([str(workspace.config), "--dry-run", "--config-verbose"]) == 0
    shown = capsys.readouterr().out
    assert "OpenICLInfer[adder/sums,adder/more]" in shown
    assert "eval: 2 tasks of OpenICLEvalTask, 1 at once" in shown
    assert "  OpenICLEval[adder/sums]\n  OpenICLEval[adder/more]\n" in shown
    assert "total: 13 requests" in shown and "batch_size=4" in shown
    assert sorted(workspace.folder.rglob("*")) == before
    assert workspace.server.requests == 0


def test_limit_takes_the_first_samples(workspace: Workspace):
    workspace.write({"sums": 10})
    assert main([str(workspace.config), "--inline", "--limit", "3"]) == 0
    assert list(workspace.read("predictions/adder/sums.json")) == ["0", "1", "2"]
    assert main([str(workspace.config), "--inline", "--reuse"]) == 0
    assert len(workspace.read("predictions/adder/sums.json")) == 10
    assert workspace.server.requests == 10


def test_scores_of_other_rows_are_refused_or_marked(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 5})
    assert main([str(workspace.config), "--inline"]) == 0
    data = workspace.folder / "sums.jsonl"
    rows = [json.loads(line) for line in data.read_text().splitlines()]
    data.write_text("".join(json.dumps(row | {"answer": "999"}) + "\n" for row in rows))
    again = [str(workspace.config), "--inline", "-m", "eval", "-r"]
    assert main(again) == 1
    assert "5 rows are not those that the model was asked (row 0, 1, 2, 3, 4)" in "".join(capsys.readouterr())
    assert main([*again, "--rescore-changed"]) == 0
    assert "adder / sums: 5 rows are not those" in capsys.readouterr().out


def test_a_finished_run_is_not_asked_again(workspace: Workspace):
    workspace.write({"sums": 5})
    assert main([str(workspace.config), "--inline"]) == 0
    assert main([str(workspace.config), "--inline", "-r", workspace.run_folder.name]) == 0
    assert workspace.server.requests == 5


def test_a_run_that_goes_on_leaves_alone_what_is_done(workspace: Workspace):
    workspace.write({"good": 4, "bad": 30})
    workspace.server.decide = lambda call: failed(500) if int(re.findall(r"\d+", call.last_user)[0]) >= 4 else None
    assert main([str(workspace.config), "--inline"]) == 1
    state = workspace.run_folder / "infer_status/adder/good.json"
    before = state.stat()
    for server_works, status in ((False, 1), (True, 0), (True, 0)):
        workspace.server.decide = None if server_works else workspace.server.decide
        assert main([str(workspace.config), "--inline", "-r"]) == status
        assert (state.stat().st_ino, state.stat().st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert workspace.read("infer_status/adder/bad.json")["status"] == "done"


def test_every_new_run_has_a_folder_of_its_own(workspace: Workspace):
    workspace.write({"sums": 1})
    for _ in range(3):
        assert main([str(workspace.config), "--inline"]) == 0
    assert len(list(workspace.work_dir.iterdir())) == 3


def test_stages_can_run_one_by_one(workspace: Workspace):
    workspace.write({"sums": 4})
    assert main([str(workspace.config), "--inline", "-m", "infer"]) == 0
    assert not (workspace.run_folder / "results").exists()
    assert main([str(workspace.config), "--inline", "-m", "eval", "-r"]) == 0
    assert workspace.read("results/adder/sums.json")["accuracy"] == 100.0
    assert main([str(workspace.config), "--inline", "-m", "viz", "-r"]) == 0
    assert workspace.server.requests == 4


def test_an_explicit_eval_scores_again(workspace: Workspace):
    workspace.write({"sums": 4})
    main([str(workspace.config), "--inline"])
    path = workspace.run_folder / "predictions/adder/sums.json"
    records = json.loads(path.read_text())
    records["0"]["prediction"] = "wrong"
    path.write_text(json.dumps(records))
    assert main([str(workspace.config), "--inline", "-m", "eval", "-r", "--rescore-changed"]) == 0
    assert workspace.read("results/adder/sums.json")["accuracy"] == 75.0


@pytest.mark.parametrize("mode", ["eval", "viz"])
def test_a_mode_that_reads_earlier_files_says_what_to_add(
    workspace: Workspace, mode: str, capsys: pytest.CaptureFixture[str]
):
    workspace.write()
    assert main([str(workspace.config), "--inline", "-m", mode]) == 2
    assert "--reuse" in capsys.readouterr().err


def test_a_failing_dataset_leaves_the_others_and_shows_its_reason(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write({"good": 4, "bad": 30})
    workspace.server.decide = lambda call: failed(500) if int(re.findall(r"\d+", call.last_user)[0]) >= 4 else None
    assert main([str(workspace.config), "--inline"]) == 1
    shown = capsys.readouterr()
    assert re.search(r"good\s+\w+\s+accuracy\s+gen\s+100\.00", shown.out)
    assert "26 of 30 samples have no answer" in shown.out and "500" in shown.out
    assert f"--reuse {workspace.run_folder.name}" in shown.err
    workspace.server.decide = None
    before = workspace.server.requests
    assert main([str(workspace.config), "--inline", "-r"]) == 0
    assert workspace.server.requests - before == 26


def test_a_few_errors_are_shown_beside_the_score_and_do_not_fail_the_run(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write({"sums": 40})
    workspace.server.decide = lambda call: failed(500) if call.last_user == "What is 7 + 8?" else None
    assert main([str(workspace.config), "--inline"]) == 0
    result = workspace.read("results/adder/sums.json")
    assert result["accuracy"] == 100.0 and result["compass"]["samples"]["counted"] == 39
    assert "1 of 40" in capsys.readouterr().err


def test_a_rejected_key_stops_at_once(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.server.api_key = "right"
    workspace.write({"sums": 200}, key="wrong-key-canary")
    assert main([str(workspace.config), "--inline"]) == 1
    assert workspace.server.requests <= 8
    shown = capsys.readouterr()
    assert "401" in shown.out and "wrong-key-canary" not in shown.out + shown.err


def test_a_second_run_on_one_folder_is_refused_and_names_the_first(workspace: Workspace):
    workspace.write({"sums": 300})
    workspace.server.latency = 0.5
    first = workspace.start(str(workspace.config), "--inline")
    try:
        _wait(lambda: workspace.server.requests > 0)
        second = workspace.run(str(workspace.config), "--inline", "-r")
        assert second.returncode == 2 and str(first.pid) in second.stderr and "in use" in second.stderr
    finally:
        kill_group(first)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_saves_everything_and_tells_how_to_go_on(workspace: Workspace, number: signal.Signals):
    workspace.write({"sums": 300})
    workspace.server.latency = 0.1
    process = workspace.start(str(workspace.config), "--inline")
    _wait(lambda: workspace.server.requests > 12)
    process.send_signal(number)
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 130
    assert f"--reuse {workspace.run_folder.name}" in errors
    asked = workspace.server.requests
    workspace.server.latency = 0.0
    assert main([str(workspace.config), "--inline", "-r"]) == 0
    assert workspace.server.requests - asked <= 300 - (asked - 4)
    assert all(count <= 2 for count in workspace.server.questions.values())


def test_after_kill_9_only_what_has_no_answer_is_asked(workspace: Workspace, tmp_path: Path):
    workspace.write({"sums": 120})
    workspace.server.latency = 0.05
    for _ in range(2):
        process = workspace.start(str(workspace.config), "--inline", *(["-r"] if workspace.work_dir.exists() else []))
        before = workspace.server.requests
        _wait(lambda before=before: workspace.server.requests > before + 15)
        kill_group(process)
    workspace.server.latency = 0.0
    assert main([str(workspace.config), "--inline", "-r", "--max-num-workers", "3"]) == 0
    repeated = sum(workspace.server.questions.values()) - 120
    assert repeated <= 2 * 4
    records = stored(workspace.run_folder / "predictions/adder/sums.json")
    assert {int(k): v["prediction"] for k, v in records.items()} == {n: str(2 * n + 1) for n in range(120)}


def test_how_far_a_running_pair_is_can_be_read_from_its_folder(workspace: Workspace):
    workspace.write({"sums": 200})
    workspace.server.latency = 0.2
    process = workspace.start(str(workspace.config), "--inline")
    try:
        _wait(lambda: workspace.work_dir.exists() and (workspace.run_folder / "infer_status/adder/sums.json").exists())
        _wait(lambda: workspace.read("infer_status/adder/sums.json")["completed"] > 0)
        assert workspace.read("infer_status/adder/sums.json")["status"] == "running"
    finally:
        kill_group(process)


def _wait(condition, timeout: float = 30) -> None:
    end = time.monotonic() + timeout
    while not condition():
        assert time.monotonic() < end, "nothing happened"
        time.sleep(0.02)
