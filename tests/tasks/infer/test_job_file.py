"""What is written for a job holds no secret, and the job has them all the same."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.specs import dataset_spec, model_spec, shard_of, sums, write_rows

from tasks.infer import __main__ as job
from tasks.infer.job_file import JobProgress, outcome_file, progress_file, read_job_file, write_shard_file
from tasks.infer.part_manifests import finished_manifest
from tasks.spec.findings import UserError
from tasks.spec.shard import Shard
from tasks.spec.storage.run_folder import Pair, RunFolder

_ON_A_FULL_DISK = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
sys.argv = ["job", sys.argv[1]]
runpy.run_module("tasks.infer", run_name="__main__")
"""
CANARIES = {"key": "canary-key-4471-zqx", "header": "canary-header-4472-zqx", "loader": "canary-loader-4473-zqx"}


@pytest.fixture
def shard(tmp_path: Path) -> Shard:
    headers = {"Authorization": f"Bearer {CANARIES['header']}"}
    model = model_spec(arguments={"key": [CANARIES["key"], "EMPTY"], "extra_headers": headers})
    dataset = dataset_spec(write_rows(tmp_path / "sums.jsonl", sums(3)))
    shard = shard_of(tmp_path / "run", model, dataset)
    secretive = dataset.model_copy(update={"arguments": {**dataset.arguments, "hub_token": CANARIES["loader"]}})
    return shard.model_copy(update={"parts": (shard.parts[0].model_copy(update={"dataset": secretive}),)})


def test_secrets_are_in_the_environment_alone(shard: Shard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = tmp_path / "shard.json"
    environment = write_shard_file(file, shard)
    text = file.read_text()
    assert not [canary for canary in CANARIES.values() if canary in text]
    assert shard.key in text and shard.parts[0].key in text, "digests are no secrets"
    with pytest.raises(UserError, match="is not set"):
        read_job_file(file)
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert Shard.model_validate(read_job_file(file)) == shard


def test_variables_are_the_same_for_all_shards_of_a_model(shard: Shard, tmp_path: Path):
    other = shard.model_copy(update={"key": "0" * 64, "parts": shard.parts * 2})
    files = tmp_path / "one.json", tmp_path / "other.json"
    assert write_shard_file(files[0], shard) == write_shard_file(files[1], other)


def test_a_new_attempt_forgets_how_the_last_one_ended(shard: Shard, tmp_path: Path):
    file = tmp_path / "shard.json"
    outcome_file(file).write_text("{}")
    write_shard_file(file, shard)
    assert not outcome_file(file).exists()


def test_a_running_job_tells_how_far_it_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(job, "_SECONDS_BETWEEN_WORDS", 0.05)
    for of_the_process in ("at_termination", "job_logs"):
        monkeypatch.setattr(job, of_the_process, lambda _: None)
    slow = model_spec(arguments={"delay": 0.1})
    shard = shard_of(tmp_path / "run", slow, dataset_spec(write_rows(tmp_path / "sums.jsonl", sums(40))), in_flight=2)
    file = tmp_path / "shard.json"
    write_shard_file(file, shard)
    told: list[int] = []

    def note(path: Path, data: bytes) -> None:
        if path == progress_file(file):
            told.append(JobProgress.model_validate_json(data).parts[shard.parts[0].key][0])

    monkeypatch.setattr(job, "write_atomically", note)
    assert job.main([str(file)]) == 0
    assert told == sorted(told) and len({count for count in told if 0 < count < 40}) > 2
    assert finished_manifest(RunFolder(shard.run_folder).ledger(Pair("fake", "sums")), shard.parts[0].key)


def test_a_job_that_can_write_nothing_says_so_in_a_line(shard: Shard, tmp_path: Path):
    file = tmp_path / "shard.json"
    environment = write_shard_file(file, shard)
    command = [sys.executable, "-c", _ON_A_FULL_DISK, str(file)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 1, done.stderr
    assert "File too large" in done.stderr and "Traceback" not in done.stderr
