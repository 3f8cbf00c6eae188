"""A station whose address a block holds, and runs with Prefect: the password is nowhere."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.postgres import PASSWORD, Postgres
from support.workspace import ROOT, Workspace

from blocks.station.opening import open_station
from flows.local_server.start import own_address
from flows.local_server.state import server_files
from flows.prefect_api.server import use

pytestmark = pytest.mark.slow

_SAVE = """
import sys
from blocks import DatabaseBlock

DatabaseBlock(url=sys.argv[1]).save("results")
assert sys.argv[1] not in repr(DatabaseBlock.load("results"))
"""


def test_the_address_in_a_block(prefect_state: dict[str, str], workspace: Workspace, postgres: Postgres):
    workspace.write({"sums": 3})
    config, address = str(workspace.config), postgres.new_database()
    done = workspace.run(config, "-sp", address, environ=prefect_state)
    assert done.returncode == 0, done.stderr
    printed = done.stdout + done.stderr
    environment = {**os.environ, **prefect_state, "PYTHONPATH": str(ROOT)}
    local = own_address(server_files(prefect_state))
    assert local is not None
    with use(local, environment):
        subprocess.run([sys.executable, "-c", _SAVE, address], env=environment, check=True, timeout=120)
    for options in (["--read-from-station"], ["--read-from-station", "--inline"]):
        done = workspace.run(config, "-sp", "block://results", *options, environ=prefect_state)
        assert done.returncode == 0 and "1 of 1 pairs" in done.stderr, done.stderr
        printed += done.stdout + done.stderr
    assert workspace.server.requests == 3
    unknown = workspace.run(config, "-sp", "block://nobody", environ=prefect_state)
    assert unknown.returncode == 2 and "no block results-station/nobody" in unknown.stderr
    assert len(open_station(address).table()) == 1
    folders = (workspace.folder, Path(prefect_state["COMPASS_STATE_DIR"]))
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    assert any(path.name == "prefect.db" for path in files)
    assert [path for path in files if PASSWORD.encode() in path.read_bytes()] == [] and PASSWORD not in printed


def test_a_station_that_fails_makes_a_failed_flow_run(
    prefect_state: dict[str, str], workspace: Workspace, tmp_path: Path
):
    workspace.write({"sums": 3})
    station = tmp_path / "station"

    def breaks(_call: object) -> None:
        if not station.exists():
            station.write_text("a file where the folder should be")

    workspace.server.decide = breaks
    done = workspace.run(str(workspace.config), "-sp", str(station), environ=prefect_state)
    assert done.returncode == 1 and "could not be saved" in done.stderr, done.stderr
    assert workspace.read("results/adder/sums.json")["accuracy"] == 100.0
