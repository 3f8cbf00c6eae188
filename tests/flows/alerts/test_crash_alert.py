"""The guide's automation: the server tells of a run that cannot say so itself any more."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.repository import installed
from support.webhook_server import WebhookServer
from support.workspace import ROOT, make_workspace

from flows.local_server.start import own_address, stop_own_server
from flows.local_server.state import server_files
from flows.prefect_api.server import use

pytestmark = [pytest.mark.slow, pytest.mark.serial]

CRASH = """
import sys
from prefect import flow
from prefect.client.orchestration import get_client
from prefect.states import Crashed
from blocks import LarkWebhook

print(LarkWebhook(url=sys.argv[1], form="text").save("team"))


@flow(name="compass")
def compass():
    pass


with get_client(sync_client=True) as client:
    run = client.create_flow_run(compass, name="my_eval 20261129_120000")
    if sys.argv[2] == "crash":
        client.set_flow_run_state(run.id, Crashed(message="the process was killed"), force=True)
"""


def called(environ: dict[str, str], *command: str) -> str:
    done = subprocess.run(
        [sys.executable, *command], env=environ, capture_output=True, text=True, check=False, timeout=120
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_a_crash_is_told_by_the_server(tmp_path: Path):
    path = os.pathsep.join([str(installed(tmp_path / "site")), str(ROOT)])
    environ = {"COMPASS_STATE_DIR": str(tmp_path / "state"), "PYTHONPATH": path}
    workspace = make_workspace(tmp_path)
    files = server_files(environ)
    try:
        up = workspace.run("server", "up", environ=environ)
        assert up.returncode == 0, up.stderr
        address = own_address(files)
        assert address is not None
        client = {**os.environ, **environ}
        with use(address, client), WebhookServer() as server:
            (identifier,) = called(client, "-c", CRASH, server.url, "").split()
            guide = (ROOT / "docs/alerts.md").read_text()
            (automation,) = re.findall(r"```yaml\n(.*?)```", guide, re.DOTALL)
            (tmp_path / "automation.yaml").write_text(re.sub("0{8}-[0-]+", identifier, automation))
            called(client, "-m", "prefect", "automation", "create", "--from-file", str(tmp_path / "automation.yaml"))
            called(client, "-c", CRASH.replace('.save("team")', '.save("team", overwrite=True)'), server.url, "crash")
            server.wait(1, seconds=60)
            text = server.bodies[0]["content"]["text"]
            assert text == "Crashed: my_eval 20261129_120000\nthe process was killed"
    finally:
        stop_own_server(files)
