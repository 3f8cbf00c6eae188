"""A batch is scored from its file alone, as a cluster job does: `python -P -m tasks.score BATCH_FILE`."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from support.repository import ROOT
from support.specs import dataset_spec, model_spec, sums, write_rows

from tasks.infer.job_file import write_job_file
from tasks.score.batch import PairOutcome, PairToScore, ScoreBatch
from tasks.score.batch_file import read_outcomes
from tasks.spec.storage.run_folder import Pair, RunFolder, read_json, write_json


def job(file: Path) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-P", "-m", "tasks.score", str(file)]
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    return subprocess.run(
        command, cwd=file.parent, env=environ, capture_output=True, text=True, timeout=60, check=False
    )


@pytest.mark.parametrize("answered", [True, False])
def test_a_batch_is_scored_and_what_became_of_it_is_told(tmp_path: Path, answered: bool):
    folder, pair = RunFolder(tmp_path / "run"), Pair("fake", "sums")
    dataset = dataset_spec(write_rows(tmp_path / "sums.jsonl", sums(4)))
    if answered:
        records = {str(n): {"origin_prompt": "", "prediction": row["answer"]} for n, row in enumerate(sums(4))}
        write_json(folder.predictions(pair), records)
    batch = ScoreBatch((PairToScore(model_spec(), dataset),))
    file = tmp_path / "batch.json"
    values = {"run_folder": str(folder.root), "batch": TypeAdapter(ScoreBatch).dump_python(batch, mode="json")}
    assert write_job_file(file, values) == {}
    done = job(file)
    [outcome] = read_outcomes(file) or []
    assert done.returncode == (0 if answered else 1), done.stderr
    if answered:
        assert outcome == PairOutcome(pair) and read_json(folder.results(pair))["accuracy"] == 100
    else:
        assert outcome.pair == pair and outcome.reason


def test_a_file_that_is_no_batch_is_bad_input(tmp_path: Path):
    (tmp_path / "x.json").write_text("{}")
    done = job(tmp_path / "x.json")
    assert done.returncode == 2 and "x.json is not a file of a scoring batch" in done.stderr
    assert "Traceback" not in done.stderr
