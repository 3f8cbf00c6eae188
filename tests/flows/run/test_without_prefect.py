"""Help, inline runs and compute nodes work where Prefect cannot even be imported."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.specs import dataset_spec, model_spec, shard_of, sums, write_rows
from support.workspace import ROOT, Workspace

from tasks.infer.part_manifests import finished_manifest
from tasks.spec.storage.run_folder import Pair, RunFolder


@pytest.fixture
def no_prefect(tmp_path: Path) -> dict[str, str]:
    """An environment in which importing prefect fails."""
    package = tmp_path / "blocked" / "prefect"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('prefect must not be imported here')")
    paths = [str(package.parent), str(ROOT), str(ROOT / "tests")]
    return {"PYTHONPATH": os.pathsep.join(paths)}


@pytest.mark.parametrize("arguments", [["--help"], ["server", "--help"]])
def test_help(workspace: Workspace, no_prefect: dict[str, str], arguments: list[str]):
    done = workspace.run(*arguments, environ=no_prefect)
    assert done.returncode == 0 and "usage" in done.stdout.lower()


def test_inline_run(workspace: Workspace, no_prefect: dict[str, str]):
    workspace.write({"sums": 3})
    assert workspace.run(str(workspace.config), "--dry-run", environ=no_prefect).returncode == 0
    done = workspace.run(str(workspace.config), "--inline", environ=no_prefect)
    assert done.returncode == 0, done.stderr


def run_shard(path: Path, environ: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-P", "-m", "tasks.infer", str(path)]
    return subprocess.run(
        command, check=False, capture_output=True, text=True, cwd=path.parent, env={**os.environ, **environ}
    )


def test_shard_file(tmp_path: Path, no_prefect: dict[str, str]):
    dataset = dataset_spec(write_rows(tmp_path / "sums.jsonl", sums(5)))
    shard = shard_of(tmp_path / "run", model_spec(), dataset)
    (tmp_path / "shard.json").write_text(shard.model_dump_json())
    done = run_shard(tmp_path / "shard.json", no_prefect)
    assert done.returncode == 0, done.stderr
    folder = RunFolder(tmp_path / "run").ledger(Pair("fake", "sums"))
    manifest = finished_manifest(folder, shard.parts[0].key)
    assert manifest is not None and manifest.rows == 5


@pytest.mark.parametrize("content", ["", "{}", "not json"])
def test_a_file_that_is_no_shard_is_bad_input(tmp_path: Path, no_prefect: dict[str, str], content: str):
    (tmp_path / "shard.json").write_text(content)
    done = run_shard(tmp_path / "shard.json", no_prefect)
    assert done.returncode == 2 and "shard.json is not a shard file" in done.stderr and "Traceback" not in done.stderr
