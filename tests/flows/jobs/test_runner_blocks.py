"""Clusters saved as blocks, on a real server: chosen by `--runner NAME`, or given a command by a flow of one's own."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.clouds import make_cloud
from support.workspace import ROOT, Workspace

from flows.local_server.start import own_address
from flows.local_server.state import server_files
from flows.prefect_api.server import use

pytestmark = pytest.mark.slow

SECRET = "canary-of-the-block-zqx"
SAVE = f"""
from blocks import DLCBlock, LocalBlock

settings = dict(workspace_id="w", worker_image="i", poll_seconds=0.2, extra_envs=["SERVICE_TOKEN={SECRET}"])
DLCBlock(aliyun_cfg=settings, retry=1).save("cloud")
LocalBlock(max_num_workers=2).save("here")
LocalBlock().save("twice"), DLCBlock(aliyun_cfg=settings).save("twice")
block = DLCBlock.load("cloud")
assert "{SECRET}" not in repr(block) and block.retry == 1
"""
TRIGGER = """
import asyncio, os, sys, time
from pathlib import Path
from blocks import DLCBlock, LocalBlock
from blocks.clusters.block import JobFailed

folder = Path(sys.argv[1])


async def main():
    for block in (DLCBlock.aload("cloud"), LocalBlock.aload("here")):
        block = (await block).model_copy(update=dict(folder=folder))

        async def output(*command, cancel=False):
            (folder / "job.out").unlink(missing_ok=True)
            run = await block.model_copy(update=dict(command=list(command))).trigger()
            if cancel:
                while "started" not in await run.fetch_result():
                    await asyncio.sleep(0.1)
                await run.cancel()
            await run.wait_for_completion()
            return await run.fetch_result()

        assert await output(sys.executable, "-c", "print('done', __import__('os').getcwd())") == f"done {folder}\\n"
        try:
            await output(sys.executable, "-c", "raise SystemExit('the last words')")
        except JobFailed as failed:
            assert str(failed).endswith("the last words"), failed
        else:
            raise AssertionError("no failure")
        begin = time.monotonic()
        try:
            await output("sh", "-c", "echo started; sleep 60", cancel=True)
        except JobFailed:
            assert time.monotonic() - begin < 50
        else:
            raise AssertionError("no failure")


asyncio.run(main())
"""


def called(environ: dict[str, str], *command: str) -> str:
    """The output of a Python command that speaks to the local server."""
    address = own_address(server_files(environ))
    assert address is not None
    environment = {**os.environ, **environ, "PYTHONPATH": str(ROOT)}
    with use(address, environment):
        done = subprocess.run(
            [sys.executable, *command], env=environment, capture_output=True, text=True, check=False, timeout=120
        )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_runners_are_saved_and_used_by_name(prefect_state: dict[str, str], workspace: Workspace, tmp_path: Path):
    cloud = make_cloud(tmp_path / "cloud")
    environ = {**prefect_state, **cloud.environ}
    workspace.write({"sums": 3})
    run = str(workspace.config)
    assert workspace.run(run, "--limit", "1", environ=environ).returncode == 0
    called(environ, "-m", "prefect", "block", "register", "-m", "blocks")
    called(environ, "-c", SAVE)
    for options in (["--runner", "cloud"], ["--runner", "compass-dlc/cloud", "--inline"]):
        before = len(cloud.calls("dlc", "submit"))
        done = workspace.run(run, *options, environ=environ)
        assert done.returncode == 0, done.stderr
        assert len(cloud.calls("dlc", "submit")) - before == 2
        assert workspace.read("results/adder/sums.json")["accuracy"] == 100.0
    done = workspace.run(run, "--runner", "here", environ=environ)
    assert done.returncode == 0 and len(cloud.calls("dlc", "submit")) == 4, done.stderr
    for name, said in (("twice", "several blocks"), ("nobody", "or compass-slurm/nobody")):
        done = workspace.run(run, "--runner", name, "--dry-run", environ=environ)
        assert done.returncode == 2 and said in " ".join(done.stderr.split()), done.stderr
    without = workspace.run(run, "--runner", "cloud", "--inline", environ={"COMPASS_STATE_DIR": str(tmp_path / "none")})
    assert without.returncode == 2 and "no Prefect server answers" in " ".join(without.stderr.split())
    (tmp_path / "own").mkdir()
    called(environ, "-c", TRIGGER, str(tmp_path / "own"))
    written = [path for folder in (tmp_path, Path(prefect_state["COMPASS_STATE_DIR"])) for path in folder.rglob("*")]
    assert [path for path in written if path.is_file() and SECRET.encode() in path.read_bytes()] == []
