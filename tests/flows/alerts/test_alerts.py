"""Whole runs that tell people how they get on."""

import json
import re
import signal
import time
from pathlib import Path
from typing import Any

import pytest
from support.scripted_server import failed
from support.webhook_server import LARK_BAD_SIGNATURE, SLACK_OK, SilentServer, WebhookServer
from support.workspace import Workspace

from blocks.notifications.courier import Pace
from flows.alerts import sender as alerts
from flows.evaluate import evaluate
from flows.inline import InlineEngine, run_inline
from flows.preparation.prepare import prepare
from flows.run.engine_errors import EngineLost
from flows.run.run import Run, open_run
from flows.run.sequence import run_stages
from flows.terminal.cli import main
from tasks.plan.request import RunRequest

SETTINGS = """
lark_bot_url = {url!r}
alerts = dict(form='text')
"""
WATCH = """
infer = dict(runner=dict(type='LocalRunner', max_num_workers=2, task=dict(type='OpenICLInferConcurrentTask')))
eval = dict(runner=dict(type='LocalRunner', max_num_workers=2, task=dict(type='OpenICLEvalWatchTask')))
"""


def settings(server: WebhookServer) -> str:
    return SETTINGS.format(url=server.url)


def titles(server: WebhookServer) -> list[str]:
    """First lines of the texts that came, without the name of the run."""
    return [re.sub(r":? ?(in )?my_eval \w+", "", text.splitlines()[0]) for text in texts(server)]


def texts(server: WebhookServer) -> list[str]:
    return [body["content"]["text"] for body in server.bodies]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """No pause between messages in this process, and no address from outside."""
    monkeypatch.setattr(alerts, "Pace", lambda: Pace(between_posts=0, first_wait=0.01))
    for name in ("LARK_BOT_URL", "LARK_BOT_SECRET", "SLACK_WEBHOOK_URL"):
        monkeypatch.delenv(name, raising=False)


ALL_WELL = ["Started", "Inference finished", "Scoring finished", "Summary written", "Finished"]


@pytest.mark.parametrize("extra", ["", WATCH])
def test_a_run_without_prefect_tells_how_it_gets_on(workspace: Workspace, extra: str):
    with WebhookServer() as server:
        workspace.write({"sums": 3, "more": 2}, extra=settings(server) + extra)
        assert main([str(workspace.config), "--inline", "-l", "--no-progress"]) == 0
    assert titles(server) == ALL_WELL
    started, inferred, scored, written, finished = texts(server)
    assert "2 pairs of 1 models and 2 datasets" in started and str(workspace.run_folder) in started
    assert "2 pairs succeeded, 0 failed" in inferred and "2 pairs succeeded, 0 failed" in scored
    assert str(workspace.run_folder / "summary") in written
    assert re.search(r"sums +\w+ +accuracy +gen +100.00", finished)


def test_without_the_flag_nothing_is_posted(workspace: Workspace):
    with WebhookServer() as server:
        workspace.write(extra=settings(server))
        assert main([str(workspace.config), "--inline", "--no-progress"]) == 0
    assert server.bodies == []


def test_failures_are_told_with_reason_and_log(workspace: Workspace):
    workspace.server.decide = lambda call: failed(500) if int(re.findall(r"\d+", call.last_user)[0]) >= 4 else None
    with WebhookServer() as server:
        workspace.write({"good": 3, "bad": 9}, extra=settings(server))
        assert main([str(workspace.config), "--inline", "-l", "--no-progress"]) == 1
    assert titles(server) == [
        "Started",
        "Failed: 1",
        "Inference finished with 1 failures",
        "Scoring finished",
        "Summary written",
        "Finished with 1 failures",
    ]
    _, failure, inferred, scored, _, finished = texts(server)
    assert "adder/bad: inference failed" in failure and "500" in failure
    assert "failed: adder/bad" in inferred and "1 pairs succeeded, 1 failed" in inferred
    assert "1 pairs succeeded, 0 failed" in scored and "1 of 2 pairs succeeded" in finished


def test_a_run_that_finds_everything_done_tells_no_stage(workspace: Workspace):
    with WebhookServer() as server:
        workspace.write(extra=settings(server))
        assert main([str(workspace.config), "--inline", "--no-progress"]) == 0
        assert main([str(workspace.config), "--inline", "-l", "-r", "--no-progress"]) == 0
    assert titles(server) == ["Started", "Summary written", "Finished"]


def test_a_reached_budget_is_told(workspace: Workspace):
    with WebhookServer() as server:
        workspace.write({"sums": 10}, extra=settings(server))
        assert main([str(workspace.config), "--inline", "-l", "--no-progress", "--max-samples", "4"]) == 1
    assert titles(server)[1] == "Budget reached: 1 pairs are not finished"
    assert "adder/sums: budget reached: max_samples=4; 6 of 10 samples are left" in texts(server)[1]
    assert "0 pairs succeeded, 0 failed" in texts(server)[2]


def test_a_dry_run_posts_nothing(workspace: Workspace):
    with WebhookServer() as server:
        workspace.write(extra=settings(server))
        assert main([str(workspace.config), "-p", "a_partition", "-l", "--dry-run"]) == 0
        assert main([str(workspace.config), "-l", "--preflight"]) == 0
    assert server.bodies == []


def test_an_interrupt_is_told(workspace: Workspace):
    workspace.server.latency = 0.1
    with WebhookServer() as server:
        workspace.write({"sums": 300}, extra=settings(server))
        process = workspace.start(str(workspace.config), "--inline", "-l")
        server.wait(1, seconds=60)
        while workspace.server.requests < 4:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
    assert process.returncode == 130 and titles(server) == ["Started", "Interrupted"]


def test_a_crash_of_the_stages_is_told(workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    def broken(*_: Any) -> None:
        raise RuntimeError("boom, said sk-abcdefgh12345678")

    monkeypatch.setattr("flows.inline.make_summary", broken)
    with WebhookServer() as server:
        workspace.write(extra=settings(server))
        with pytest.raises(RuntimeError):
            evaluate(workspace.config, lark=True, progress=False)
    assert titles(server)[-1] == "Crashed" and "RuntimeError: boom, said ***" in texts(server)[-1]


def test_a_run_that_goes_on_without_its_server_tells_each_moment_once(workspace: Workspace):
    class Dying(InlineEngine):
        def infer(self, run: Run) -> None:
            run.fail("infer", run.plan.pairs[0].pair, "the server is gone")
            raise EngineLost

    with WebhookServer() as server:
        workspace.write(extra=settings(server))
        plan = prepare(RunRequest(config=str(workspace.config), lark=True))
        with open_run(plan) as run:
            run.url = "http://127.0.0.1:9/the-server-that-is-gone"
            with pytest.raises(EngineLost):
                run_stages(run, Dying())
            run.begin_again()
            run_inline(run)
    assert titles(server) == ["Started", "Failed: 1", *ALL_WELL[1:]]
    assert ["the-server-that-is-gone" in text for text in texts(server)] == [True, True, False, False, False, False]


@pytest.mark.parametrize("kind", ["silent", "refusing", "nobody"])
def test_a_server_that_does_not_take_messages_changes_nothing(workspace: Workspace, kind: str):
    with SilentServer() as silent, WebhookServer(lambda _: LARK_BAD_SIGNATURE) as refusing:
        url = {"silent": silent.url, "refusing": refusing.url, "nobody": "http://127.0.0.1:9/hook/the-hidden-token"}
        workspace.write(extra=SETTINGS.format(url=url[kind]))
        done = workspace.run(str(workspace.config), "--inline", "-l")
    assert done.returncode == 0 and "100.00" in done.stdout
    assert " ".join(done.stderr.split()).count("do not arrive") == 1 and "hidden-token" not in done.stderr


def test_no_secret_leaves_the_run(workspace: Workspace):
    workspace.server.decide = lambda call: failed(400, message=f"no such key {call.key}")
    with WebhookServer() as server:
        workspace.write({"sums": 3}, key="sk-this-is-a-secret-key", extra=settings(server))
        assert main([str(workspace.config), "--inline", "-l", "--no-progress"]) == 1
    assert "Failed: 1" in titles(server) and "sk-this-is" not in json.dumps(server.bodies)
    assert not [p for p in workspace.run_folder.rglob("*") if p.is_file() and b"hidden-token" in p.read_bytes()]


def test_the_shipped_address_comes_from_the_environment(workspace: Workspace, monkeypatch: pytest.MonkeyPatch):
    read = (
        "\nfrom tasks.spec import read_base\nwith read_base():\n    from opencompass.configs.lark import lark_bot_url\n"
    )
    with WebhookServer() as server:
        workspace.write(extra=read)
        monkeypatch.setenv("LARK_BOT_URL", server.url)
        assert main([str(workspace.config), "--inline", "-l", "--no-progress"]) == 0
    assert len(server.bodies) == len(ALL_WELL) and server.bodies[0]["msg_type"] == "post"


@pytest.mark.parametrize(
    ("extra", "said"),
    [
        ("lark_bot_url = 'YOUR_WEBHOOK_URL'", "still the placeholder"),
        ("", "nowhere to post to"),
        ("lark_bot_url = 'open.feishu.cn/x'", "no web address"),
        ("alerts = dict(bloks=['x'])", "did you mean 'blocks'"),
        ("lark_bot_url = 'http://x/y'\nalerts = dict(events=['startet'])", "alerts.events"),
        (
            "lark_bot_url = 'http://x/y'\nalerts = dict(templates=dict(started=dict(title='$usr')))",
            "did you mean 'user'",
        ),
    ],
)
def test_what_cannot_work_is_an_error_before_the_run(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], extra: str, said: str
):
    workspace.write(extra=extra)
    assert main([str(workspace.config), "--inline", "-l"]) == 2
    assert said in capsys.readouterr().err
    assert not workspace.work_dir.exists() and workspace.server.requests == 0
    assert main([str(workspace.config), "--dry-run", "-l"]) == 2
    assert main([str(workspace.config), "--dry-run"]) == 0


def test_slack_gets_the_events_that_are_wanted(workspace: Workspace):
    with WebhookServer(lambda _: SLACK_OK) as server:
        extra = f"slack_webhook_url = {server.url!r}\nalerts = dict(events=['finished'])\n"
        workspace.write(extra=extra)
        assert main([str(workspace.config), "--inline", "-l", "--no-progress"]) == 0
    assert len(server.bodies) == 1 and server.bodies[0]["text"].startswith("Finished: my_eval")


def test_slack_without_its_package_is_said_before_the_run(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("blocks.notifications.slack.find_spec", lambda _: None)
    workspace.write(extra="slack_webhook_url = 'https://hooks.slack.com/services/T/B/X'\n")
    assert main([str(workspace.config), "--inline", "-l"]) == 2
    assert "pip install 'compass-llm-eval[slack]'" in capsys.readouterr().err


def test_a_block_needs_a_server(workspace: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    workspace.write()
    done = workspace.run(
        str(workspace.config), "--inline", "--notify", "team", environ={"COMPASS_STATE_DIR": str(tmp_path / "state")}
    )
    assert done.returncode == 2 and "no Prefect server answers" in done.stderr and "Traceback" not in done.stderr


def test_the_tool_posts(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    with WebhookServer() as server:
        assert main(["notify", "--test", server.url]) == 0
        assert main(["notify", server.url, "a\nb", "--title", "T", "--form", "text"]) == 0
        server.answer = lambda _: LARK_BAD_SIGNATURE
        assert main(["notify", "--test", server.url]) == 1
    assert "A test message" in server.texts[0] and server.bodies[1]["content"]["text"] == "T\na\nb"
    said = capsys.readouterr().err
    assert "accepted by Lark (127.0.0.1)" in said and "19021" in said and "hidden-token" not in said
    assert main(["notify", "http://127.0.0.1:9/x"]) == 2


def test_a_run_whose_engine_is_lost_tells_each_moment_once(workspace: Workspace):
    workspace.server.decide = lambda call: failed(500) if int(re.findall(r"\d+", call.last_user)[0]) >= 4 else None
    with WebhookServer() as server:
        workspace.write({"good": 3, "bad": 9}, extra=settings(server))
        plan = prepare(RunRequest(config=str(workspace.config), lark=True))
        with open_run(plan) as run:
            with pytest.raises(ConnectionError):
                run_stages(run, LostInTheEnd())
            run.begin_again()
            run_inline(run)
    assert len(titles(server)) == len(set(titles(server))) and titles(server)[-1] == "Finished with 1 failures"


class LostInTheEnd(InlineEngine):
    def summarize(self, run: Run) -> None:
        raise ConnectionError
