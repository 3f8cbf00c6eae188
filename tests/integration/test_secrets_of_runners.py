"""Runs that others carry out, clouds, Dask, a runner of the user's own, a worker of Prefect, leave no secret either."""

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import asyncpg
import pytest
from support.canaries import (
    CANARIES,
    ProcessArguments,
    canary_environ,
    canary_workspace,
    files_below,
    found,
    write_config,
)
from support.clouds import VOLC_FILE, make_cloud
from support.deployments import Deployed, running_deployments
from support.postgres import PASSWORD, Postgres, missing, running_postgres
from support.webhook_server import WebhookServer
from support.workspace import Workspace

from flows.local_server.settings import cli_settings
from flows.local_server.start import own_address
from flows.local_server.state import server_files

pytestmark = [pytest.mark.slow, pytest.mark.serial]

RUNNERS = """
import subprocess


class Runner:
    def launch(self, tasks):
        codes = []
        for number, task in enumerate(tasks):
            if number % 2:
                codes.append((task.name, task.run()))
                continue
            with open(task.get_log_path(), "ab") as log:
                command = task.get_command("env > /dev/null && {task_cmd}")
                print("runs", command, file=open(task.get_log_path(), "a"), flush=True)
                codes.append((task.name, subprocess.run(command, shell=True, stdout=log, stderr=log).returncode))
        return codes
"""
CLOUD = "aliyun_cfg=dict(workspace_id='w', worker_image='i', poll_seconds=0.3)"
OF_STAGES = {
    "dlc and volc": (
        f"type='DLCRunner', {CLOUD}",
        "type='VOLCRunner', queue_name='q', volcano_cfg=dict(volcano_config_path='{folder}/task.yml', poll_seconds=1)",
    ),
    "rjob and dask": (
        "type='RJOBRunner', rjob_cfg=dict(task_id='exp', image='xxx', mount=['/shared'], poll_seconds=0.3)",
        "type='DaskRunner', poll_interval=0.3, max_num_workers=2",
    ),
    "own": ("type='my_runners.Runner'", "type='my_runners.Runner'"),
}
FEWER = "\nmodels = [models[0], *models[3:]]\n"
"""Not those that cannot be reached at all."""


def stages(runners: tuple[str, str], folder: Path) -> str:
    return FEWER + "".join(
        f"{stage} = dict(runner=dict({runner.replace('{folder}', str(folder))}, task=dict(type='{task}')))\n"
        for stage, runner, task in zip(("infer", "eval"), runners, ("OpenICLInferTask", "OpenICLEvalTask"), strict=True)
    )


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = canary_workspace(tmp_path / "user", rows=16)
    (workspace.folder / "my_runners.py").write_text(RUNNERS)
    (workspace.folder / "task.yml").write_text(VOLC_FILE)
    with workspace.server:
        yield workspace


@pytest.mark.parametrize("runners", OF_STAGES)
def test_jobs_leave_none(runners: str, workspace: Workspace, tmp_path: Path):
    cloud = make_cloud(tmp_path / "cloud")
    environ = canary_environ(tmp_path) | cloud.environ | {"no_proxy": "127.0.0.1"}
    write_config(workspace, stages(OF_STAGES[runners], workspace.folder))
    with ProcessArguments() as arguments:
        done = workspace.run(str(workspace.config), "--inline", "--debug", environ=environ, timeout=400)
    assert done.returncode == 1, done.stderr
    assert {CANARIES["env_key"], CANARIES["named_key"]} <= {call.key for call in workspace.server.calls}
    assert CANARIES["header"] in {call.headers.get("X-Gateway-Auth") for call in workspace.server.calls}
    leaks = found((done.stdout + done.stderr).encode(), "what was printed")
    leaks += [leak for line in arguments.seen for leak in found(line, f"the arguments {line!r}")]
    written = files_below(tmp_path, {workspace.config, workspace.folder / "own.py"})
    assert any(path.suffix == ".out" and path.stat().st_size for path in written)
    leaks += [leak for path in written for leak in found(path.read_bytes(), path.relative_to(tmp_path))]
    assert not leaks, "\n".join(sorted(set(leaks)))


@pytest.fixture
def postgres() -> Iterator[Postgres]:
    if missing():
        pytest.skip(missing())
    with running_postgres() as postgres:
        yield postgres


def test_a_worker_leaves_none(workspace: Workspace, postgres: Postgres, tmp_path: Path):
    """With results in PostgreSQL, messages to a chat channel, and a block that holds its address."""
    station = postgres.new_database()
    environ = canary_environ(tmp_path) | {"COMPASS_STATION": station}
    with WebhookServer() as lark, ProcessArguments() as arguments:
        write_config(
            workspace,
            f"{FEWER}station = dict(url={station!r})\nlark_bot_url = {lark.url!r}\ndel slack, alert_webhook_url\n"
            "infer = dict(fail_on_error=1)\n",
        )
        (tmp_path / "deployed").mkdir()
        with running_deployments(tmp_path / "deployed", environ) as deployed:
            save_block(deployed, lark.url)
            options = {"config": str(workspace.config), "report": True, "debug": True, "station_samples": True}
            more = {"station_path": "ENV:COMPASS_STATION", "lark": True, "notify": ["lark-webhook/team"]}
            run = deployed.ended(deployed.start("compass/eval", **options, **more), 240)
            told = told_by(deployed)
            folder = deployed.folder_of(run["id"])
            shown = [
                workspace.run(*tool, environ=environ)
                for tool in (["cases", str(folder)], ["leaderboard", "-f", "json"], ["station", "check", station])
            ]
    secrets = {"the address of the chat channel": b"the-hidden-token", "the station's password": PASSWORD.encode()}

    def leaks_in(content: bytes, where: object) -> list[str]:
        return found(content, where) + [f"{name} in {where}" for name, secret in secrets.items() if secret in content]

    assert run["state_type"] == "FAILED" and "expired" in run["state"]["message"]
    assert lark.bodies and "accuracy" in shown[1].stdout
    leaks = [leak for process in shown for leak in leaks_in((process.stdout + process.stderr).encode(), process.args)]
    leaks += [leak for line in arguments.seen if station.encode() not in line for leak in leaks_in(line, line)]
    leaks += leaks_in(json.dumps(lark.bodies).encode(), "the chat channel")
    for name, content in [*told.items(), ("the station", asyncio.run(rows_of(station)))]:
        assert len(content) > 100, name
        leaks += leaks_in(content, name)
    written = files_below(tmp_path, {workspace.config, workspace.folder / "own.py"})
    assert {"prefect.db", "worker.log", "report.html"} <= {path.name for path in written}
    leaks += [leak for path in written for leak in leaks_in(path.read_bytes(), path.relative_to(tmp_path))]
    assert not leaks, "\n".join(sorted(set(leaks)))


def save_block(deployed: Deployed, url: str) -> None:
    address = own_address(server_files(deployed.environ))
    assert address is not None
    program = "import sys; from blocks import LarkWebhook; LarkWebhook(url=sys.stdin.read()).save('team')"
    subprocess.run(
        [sys.executable, "-P", "-c", program],
        env={**os.environ, **deployed.environ, **cli_settings(address), "no_proxy": "127.0.0.1"},
        input=url, text=True, check=True, timeout=120,
    )  # fmt: skip


def told_by(deployed: Deployed) -> dict[str, bytes]:
    """What Prefect's interface says of everything."""
    names = ("flow_runs", "task_runs", "logs", "artifacts", "events", "block_documents")
    replies = {name: deployed.reply(f"/{name}/filter", {}) for name in names}
    assert {reply.status for reply in replies.values()} == {200}
    return {name: json.dumps(reply.body).encode() for name, reply in replies.items()}


async def rows_of(address: str) -> bytes:
    """All rows of all tables of a database."""
    connection = await asyncpg.connect(address, timeout=10)
    try:
        tables = await connection.fetch("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
        rows = [row for (name,) in tables for row in await connection.fetch(f'SELECT t::text FROM "{name}" AS t')]
        return "\n".join(row[0] for row in rows).encode()
    finally:
        await connection.close()
