"""What a misbehaving service does to a run: exit status, each sample's record, the score, and what people are told."""

import json
import re
import time
from itertools import pairwise
from typing import Any

import pytest
from support.scripted_server import DRIP, FLOOD, HANG, RESET, Call, ScriptedServer, Turn, answered, failed, raw
from support.workspace import Workspace
from tenacity import wait_none

from flows.terminal.cli import main

ROWS = 40
BAD = "What is 7 + 8?"
"""The one question that fails, of so many that the run may do without it."""


@pytest.fixture(autouse=True)
def no_back_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.models.http.retries._BACK_OFF", wait_none())


def run(workspace: Workspace, *arguments: str) -> int:
    return main([str(workspace.config), "--inline", *arguments])


def write(workspace: Workspace, rows: int = ROWS, retry: int = 1, **model: Any) -> None:
    workspace.write({"sums": rows}, **model)
    workspace.config.write_text(workspace.config.read_text().replace("retry=1", f"retry={retry}"))


def only_bad(*turns: Turn) -> Any:
    """The turns for the bad question, the last of them again and again; all others are answered."""
    left = list(turns)

    def decide(call: Call) -> Turn | None:
        if call.last_user != BAD:
            return None
        return left.pop(0) if len(left) > 1 else left[0]

    return decide


def sample(workspace: Workspace) -> dict[str, Any]:
    """The record of the bad question."""
    return workspace.read("predictions/adder/sums.json")["7"]


def counts(workspace: Workspace) -> dict[str, int]:
    return workspace.read("results/adder/sums.json")["compass"]["samples"]


def log(workspace: Workspace) -> str:
    return (workspace.run_folder / "logs/infer/adder/sums.out").read_text()


@pytest.mark.parametrize(
    ("turn", "reason"),
    [
        (failed(429), "rate limited: HTTP 429: scripted failure"),
        (failed(429, retry_after=0.1), "rate limited: HTTP 429: scripted failure"),
        (failed(503), "rate limited: HTTP 503: scripted failure"),
        (failed(500), "HTTP 500: scripted failure"),
        (failed(408), "HTTP 408: scripted failure"),
        (RESET, "the connection failed: Connection reset by peer"),
        (raw('{"choices": [{"mess'), "the answer is not JSON"),
        (raw("[1, 2"), "the answer is not JSON"),
        (raw('{"choices": 7}'), "the answer has no choices"),
        (HANG, "within 0.5 s"),
        (DRIP, "within 0.5 s"),
        (FLOOD, "the answer has more than 128 MiB"),
    ],
)
def test_what_passes_is_tried_again_and_what_does_not_is_an_error(
    workspace: Workspace, turn: Turn, reason: str, capsys: pytest.CaptureFixture[str]
):
    write(workspace, retry=2, timeout=5 if turn is FLOOD else 0.5)
    workspace.server.decide = only_bad(turn, answered("15"))
    assert run(workspace) == 0
    assert (sample(workspace)["status"], sample(workspace)["attempts"]) == ("ok", 2)
    assert workspace.server.questions[BAD] == 2
    assert reason in log(workspace) and "1 retries" in capsys.readouterr().err
    workspace.server.decide = only_bad(turn)
    assert run(workspace) == 0
    assert (sample(workspace)["status"], sample(workspace)["attempts"]) == ("error", 3)
    assert reason in sample(workspace)["error"]
    assert workspace.server.questions[BAD] == 2 + 3
    assert counts(workspace) | {"n": ROWS, "counted": ROWS - 1, "errors": 1} == counts(workspace)
    assert workspace.read("results/adder/sums.json")["accuracy"] == 100.0
    shown = capsys.readouterr()
    said = " ".join(shown.err.split())
    assert f"1 of {ROWS} samples have no answer" in said and "1 errors" in said and "2 retries" in said
    assert f"1 of {ROWS} samples have no answer and do not count" in shown.out
    workspace.server.decide = None
    assert run(workspace, "-r") == 0
    assert workspace.server.questions == {sample: 2 + 4 * (sample == BAD) for sample in workspace.server.questions}


@pytest.mark.parametrize(
    ("turn", "arguments", "status", "fields"),
    [
        (failed(400, "content_filter"), {}, "filtered", {"prediction": "", "error": "HTTP 400: scripted failure"}),
        (
            failed(400, "content_filter"),
            {"status_code_mappings": {400: "[blocked]"}},
            "filtered",
            {"prediction": "[blocked]"},
        ),
        (failed(400), {"status_code_mappings": {400: "[blocked]"}}, "filtered", {"prediction": "[blocked]"}),
        (answered("", "content_filter"), {}, "filtered", {"prediction": "", "finish_reason": "content_filter"}),
        (answered(None, content=None, refusal="I cannot"), {}, "refused", {"prediction": "", "error": "I cannot"}),
        (answered("  "), {}, "empty", {"finish_reason": "stop"}),
        (
            answered(None, "length", content=None, reasoning_content="7 and 8"),
            {},
            "truncated",
            {"prediction": "", "reasoning": "7 and 8", "finish_reason": "length"},
        ),
        (
            answered(None, "length", content=None, reasoning="7 and 8"),
            {},
            "truncated",
            {"prediction": "", "reasoning": "7 and 8", "finish_reason": "length"},
        ),
        (answered("<think>7 and", "length"), {}, "truncated", {"prediction": "", "reasoning": "7 and"}),
    ],
)
def test_what_the_model_or_its_service_withholds_counts_as_wrong_and_is_not_asked_again(
    workspace: Workspace, turn: Turn, arguments: dict[str, Any], status: str, fields: dict[str, str]
):
    write(workspace, retry=3, **arguments)
    workspace.server.decide = only_bad(turn)
    assert run(workspace) == 0
    assert sample(workspace) | {"status": status, "attempts": 1, **fields} == sample(workspace)
    assert counts(workspace)[status] == 1 and counts(workspace)["counted"] == ROWS
    assert workspace.read("results/adder/sums.json")["accuracy"] == pytest.approx(100 * (ROWS - 1) / ROWS)
    assert run(workspace, "-r") == 0
    assert workspace.server.requests == ROWS


@pytest.mark.parametrize("turn", [failed(400), failed(404, message="no such model"), failed(422)])
def test_what_the_service_rejects_is_an_error_at_once(workspace: Workspace, turn: Turn):
    write(workspace, retry=3)
    workspace.server.decide = only_bad(turn)
    assert run(workspace) == 0
    assert (sample(workspace)["status"], sample(workspace)["attempts"]) == ("error", 1)


def test_total_timeout_ends_a_request_with_all_its_attempts(workspace: Workspace):
    write(workspace, retry=50, timeout=0.2, total_timeout=0.7)
    workspace.server.decide = only_bad(HANG)
    assert run(workspace) == 0
    assert "no answer within 0.7 s (total_timeout)" in sample(workspace)["error"]
    assert 2 <= sample(workspace)["attempts"] <= 4


def test_too_many_errors_fail_the_pair(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    write(workspace, retry=0)
    workspace.server.decide = lambda call: failed(500) if call.number % 10 == 0 else None
    assert run(workspace) == 1
    shown = capsys.readouterr()
    assert re.search(r"sums\s+\w+\s+-\s+gen\s+-", shown.out)
    assert "4 of 40 samples have no answer: HTTP 500: scripted failure" in shown.out
    workspace.server.decide = None
    assert run(workspace, "-r", "--fail-on-error", "0") == 0
    assert workspace.server.requests == ROWS + 4


def test_retry_after_holds_everyone_back_who_asks_there(workspace: Workspace):
    write(workspace)
    text = workspace.config.read_text()
    second = "models = models + [dict(models[0], abbr='second', path='second')]\n"
    workspace.config.write_text(text + second)
    workspace.server.latency = 0.02
    workspace.server.decide = lambda call: failed(429, retry_after=1) if call.number == 12 else None
    assert run(workspace, "--max-num-workers", "4") == 0
    times = sorted(call.at for call in workspace.server.calls)
    assert {call.body["model"] for call in workspace.server.calls} == {"adder", "second"}
    assert max(after - before for before, after in pairwise(times)) >= 0.8
    assert workspace.server.requests == 2 * ROWS + 1


def test_a_service_that_takes_few_at_once_is_asked_so_and_answers_all(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
):
    rows, recovered_at, at_once = 400, 250, list[int]()

    def decide(call: Call) -> Turn | None:
        at_once.append(workspace.server.in_flight)
        return failed(429) if call.number < recovered_at and at_once[-1] > 3 else None

    workspace.server.latency, workspace.server.decide = 0.02, decide
    write(workspace, rows=rows, retry=6)
    workspace.config.write_text(workspace.config.read_text().replace("batch_size=4", "batch_size=16"))
    assert run(workspace) == 0
    assert max(at_once[:20]) == 16
    assert 0 < workspace.server.requests - rows < 80
    assert sum(at_once[100:200]) / 100 < 5
    assert max(at_once[300:]) >= 8
    assert re.search(r"retries  at most \d+ in flight", capsys.readouterr().err)


def test_a_service_that_dies_for_good_ends_the_run_early_and_the_rest_is_asked_later(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
):
    write(workspace, rows=400)
    workspace.server.decide = lambda call: _die(workspace.server) if call.number == 30 else None
    start = time.monotonic()
    assert run(workspace) == 1
    shown = capsys.readouterr()
    done = int(re.findall(r"(\d+)/400 samples", shown.err)[-1])
    assert done < 100 and time.monotonic() - start < 60
    assert "nothing has answered there for many attempts" in shown.out + shown.err
    assert f"--reuse {workspace.run_folder.name}" in shown.err
    answered_before = sum(record["status"] == "ok" for record in _ledger(workspace))
    before = workspace.server.requests
    workspace.server.decide = None
    with workspace.server:
        assert run(workspace, "-r") == 0
        assert workspace.server.requests - before == 400 - answered_before
    assert workspace.read("results/adder/sums.json")["accuracy"] == 100.0


@pytest.mark.parametrize("limits", [{"timeout": 0.2}, {"timeout": 60, "total_timeout": 0.2}])
def test_a_service_that_takes_requests_but_never_answers_counts_as_dead_too(
    workspace: Workspace, limits: dict[str, float], capsys: pytest.CaptureFixture[str]
):
    write(workspace, rows=400, retry=0, **limits)
    workspace.server.decide = lambda call: HANG
    assert run(workspace) == 1
    assert workspace.server.requests < 20
    assert "nothing has answered there for many attempts" in capsys.readouterr().out


def _die(server: ScriptedServer) -> Turn:
    server.stop()
    return HANG


def _ledger(workspace: Workspace) -> list[dict[str, Any]]:
    files = workspace.run_folder.rglob(".ledger/*/*.jsonl")
    return [json.loads(line) for file in files for line in file.read_text().splitlines()]


def test_a_key_that_expires_in_the_middle_stops_at_once(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    write(workspace, rows=400, retry=3)
    workspace.server.decide = lambda call: failed(401, "invalid_api_key", "expired") if call.number >= 30 else None
    assert run(workspace, "--max-num-workers", "2") == 1
    assert workspace.server.requests <= 30 + 2 * 4
    shown = capsys.readouterr()
    assert "no key is left that the service takes; the last one: HTTP 401: expired" in shown.out
    workspace.server.decide = None
    before = workspace.server.requests
    assert run(workspace, "-r") == 0
    assert workspace.server.requests - before == 400 - 30


def test_four_sampled_answers_stay_four_in_their_order(workspace: Workspace):
    workspace.server.decide = lambda call: Turn(raw=_four(call))
    write(workspace, rows=5)
    workspace.config.write_text(
        workspace.config.read_text().replace("max_out_len=16", "max_out_len=16, num_return_sequences=4")
    )
    for again in ([], ["-r"], ["-r", "--max-num-workers", "2"]):
        run(workspace, *again)
        assert workspace.read("predictions/adder/sums.json")["3"]["prediction"] == ["a", "b", "c", "d"]
    assert workspace.server.requests == 5


def _four(call: Call) -> str:
    choices = [{"index": n, "message": {"content": text}, "finish_reason": "stop"} for n, text in enumerate("abcd")]
    return json.dumps({"choices": choices})


def test_another_model_under_the_same_name_is_asked_itself(workspace: Workspace):
    write(workspace, rows=5)
    run(workspace)
    write(workspace, rows=5, temperature=0.7)
    run(workspace, "-r")
    assert [call.body.get("temperature") for call in workspace.server.calls] == [None] * 5 + [0.7] * 5
    write(workspace, rows=5)
    run(workspace, "-r")
    assert workspace.server.requests == 10
