"""Saved notification blocks and runs with Prefect, on a real server."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.webhook_server import WebhookServer
from support.workspace import ROOT, Workspace, make_workspace

import blocks
from flows.local_server.start import own_address
from flows.local_server.state import server_files
from flows.prefect_api.server import use

pytestmark = pytest.mark.slow

SAVE = """
import asyncio, sys
from prefect.blocks.abstract import NotificationError
from prefect.blocks.notifications import CustomWebhookNotificationBlock
from blocks import LarkWebhook, SlackWebhook

url, refusing = sys.argv[1:]
LarkWebhook(url=url, secret="the-bot-secret", form="text").save("team", overwrite=True)
SlackWebhook(url=refusing).save("refusing", overwrite=True)
CustomWebhookNotificationBlock(name="own", url=url, json_data={"own": "{{subject}}"}).save("own", overwrite=True)
LarkWebhook.load("team").notify("a body\\nof two lines", "from a script")


async def in_a_loop():
    block = await LarkWebhook.aload("team")
    assert block.url.get_secret_value() == url and url not in repr(block)
    await block.notify("a body", "from a loop")


asyncio.run(in_a_loop())
try:
    SlackWebhook.load("refusing").notify("x")
except NotificationError as error:
    assert "HTTP 404" in error.log and url not in error.log, error.log
else:
    raise AssertionError("refusal was not noticed")
"""


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path)
    with workspace.server:
        yield workspace


def called(environ: dict[str, str], *command: str) -> str:
    """The output of a Python command that reports to the local server."""
    address = own_address(server_files(environ))
    assert address is not None
    environment = {**os.environ, **environ, "PYTHONPATH": str(ROOT)}
    with use(address, environment):
        done = subprocess.run(
            [sys.executable, *command], env=environment, capture_output=True, text=True, check=False, timeout=120
        )
    assert done.returncode == 0, done.stderr
    return done.stdout


def told(server: WebhookServer) -> list[str]:
    """What came since the last look, without names, times and links of runs."""
    texts = [body["content"]["text"] for body in server.bodies]
    server.bodies.clear()
    return [re.sub(r"\d{8}_\d{6}(_\d+)?|\n*http\S+|\n+\S*/outputs/\S*", "", text) for text in texts]


def test_blocks_are_saved_and_used_by_name_and_both_engines_tell_the_same(
    prefect_state: dict[str, str], workspace: Workspace
):
    with WebhookServer() as server, WebhookServer(lambda _: (404, "no_service")) as refusing:
        workspace.write({"sums": 3}, extra=f"\nlark_bot_url = {server.url!r}\nalerts = dict(form='text')\n")
        run = str(workspace.config)
        done = workspace.run(run, "-l", environ=prefect_state)
        assert done.returncode == 0, done.stderr
        link = server.bodies[-1]["content"]["text"].splitlines()[-1]
        assert re.fullmatch(r"http://127.0.0.1:\d+/runs/flow-run/[0-9a-f-]+", link)
        with_prefect = told(server)
        assert [text.split(":")[0] for text in with_prefect] == [
            "Started", "Inference finished", "Scoring finished", "Summary written", "Finished"
        ]  # fmt: skip
        ours = [name for name in dir(blocks) if name.endswith(("Block", "Webhook"))]
        assert (
            f"successfully registered {len(ours)} blocks"
            in called(prefect_state, "-m", "prefect", "block", "register", "-m", "blocks").lower()
        )
        called(prefect_state, "-c", SAVE, server.url, refusing.url)
        signed = all(len(body["sign"]) == 44 for body in server.bodies)
        assert told(server) == ["from a script\na body\nof two lines", "from a loop\na body"] and signed
        for options in (["--notify", "lark-webhook/team"], ["--notify", "team", "--inline"]):
            done = workspace.run(run, *options, environ=prefect_state)
            assert done.returncode == 0, done.stderr
            assert told(server) == with_prefect
        tested = workspace.run("notify", "--test", "custom-webhook/own", environ=prefect_state)
        assert tested.returncode == 0 and server.bodies == [{"own": "A test message from Compass"}], tested.stderr
        asked = workspace.server.requests
        unknown = workspace.run(run, "--notify", "nobody", environ=prefect_state)
        assert unknown.returncode == 2 and "no block lark-webhook/nobody" in unknown.stderr
        assert "Traceback" not in unknown.stderr and workspace.server.requests == asked
