"""A shard runs from its file alone, as a cluster job does: `python -P -m tasks.infer SHARD_FILE`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.fake_backend import add
from support.repository import ROOT
from support.scripted_server import ScriptedServer, failed
from support.specs import dataset_spec, model_spec, shard_of, sums, write_rows

from tasks.infer.part_manifests import finished_manifest
from tasks.spec.shard import InFlight, Shard
from tasks.spec.storage.run_folder import Pair, RunFolder


def job(shard: Shard, folder: Path) -> "subprocess.CompletedProcess[str]":
    file = folder / "shard.json"
    file.write_text(shard.model_dump_json())
    command = [sys.executable, "-P", "-m", "tasks.infer", str(file)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    return subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, timeout=60, check=False)


def shard(folder: Path, url: str, rows: int, in_flight: InFlight, **arguments: object) -> Shard:
    dataset = dataset_spec(write_rows(folder / "sums.jsonl", sums(rows)))
    model = model_spec(
        type="tasks.models.services.openai_chat.OpenAISDK",
        arguments={"key": "EMPTY", "openai_api_base": url, **arguments},
    )
    return shard_of(folder / "run", model, dataset).model_copy(update={"in_flight": in_flight})


def test_a_job_keeps_its_share_and_leaves_the_part_finished(tmp_path: Path):
    share = InFlight(scope="task", limit=3, query_per_second=10)
    with ScriptedServer(add, latency=0.05) as server:
        given = shard(tmp_path, server.url, 12, share, query_per_second=1000)
        done = job(given, tmp_path)
        assert done.returncode == 0, done.stderr
        assert server.requests == 12 and server.peak <= 3
        times = [call.at for call in server.calls]
        assert max(times) - min(times) >= 0.6  # 1.1 s by the rate; 0.2 s without it
        assert job(given, tmp_path).returncode == 0 and server.requests == 12
    folder = RunFolder(tmp_path / "run")
    assert finished_manifest(folder.ledger(Pair("fake", "sums")), given.parts[0].key) is not None


@pytest.mark.parametrize(("turn", "status"), [(failed(401), 1), (None, 0)])
def test_exit_status_and_reason(tmp_path: Path, turn, status: int):
    with ScriptedServer(add, decide=lambda call: turn) as server:
        done = job(shard(tmp_path, server.url, 30, InFlight(scope="task", limit=3)), tmp_path)
    assert done.returncode == status
    assert ("no key is left that the service takes" in done.stderr) == bool(status)


def test_a_file_that_is_no_shard_is_bad_input(tmp_path: Path):
    (tmp_path / "x.json").write_text("{}")
    command = [sys.executable, "-P", "-m", "tasks.infer", "x.json"]
    environ = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 2 and "x.json is not a shard file" in done.stderr


def test_jobs_share_the_answers_that_are_kept_for_all_runs(tmp_path: Path):
    cache = tmp_path / "answers"
    with ScriptedServer(add) as server:
        given = shard(tmp_path, server.url, 5, InFlight(scope="task", limit=3))
        for run in ("one", "two"):
            own = given.model_copy(update={"cache": cache, "run_folder": tmp_path / run})
            assert job(own, tmp_path).returncode == 0
    assert server.requests == 5
