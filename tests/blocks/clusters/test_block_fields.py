"""Blocks and work pools offer what the runners take."""

import subprocess
import sys
from dataclasses import fields
from typing import Any

import pytest
from support.repository import ROOT

from blocks.clusters.block import DaskBlock, DLCBlock, LocalBlock, RJOBBlock, SlurmBlock, VOLCBlock
from blocks.clusters.dask.runner import DaskRunner
from blocks.clusters.dlc.runner import DLCRunner
from blocks.clusters.local import LocalRunner
from blocks.clusters.rjob.runner import RJOBRunner
from blocks.clusters.slurm.runner import SlurmRunner
from blocks.clusters.volc.runner import VOLCRunner
from blocks.clusters.worker import DLCWorker, RJOBWorker, SlurmWorker, VOLCWorker

OF_RUNS = {"keep_tmp_file", "debug", "phase", "eval_with_gpu", "submit_with"}
OF_TASKS = OF_RUNS | {"max_num_workers", "retry"}


@pytest.mark.parametrize(
    ("block", "runner"),
    [
        (LocalBlock, LocalRunner), (SlurmBlock, SlurmRunner), (DLCBlock, DLCRunner), (VOLCBlock, VOLCRunner),
        (RJOBBlock, RJOBRunner), (DaskBlock, DaskRunner),
    ],
)  # fmt: skip
def test_a_block_has_the_fields_of_its_runner(block: type[Any], runner: type[Any]):
    assert {field.name for field in fields(runner)} - OF_RUNS <= block.model_fields.keys()


@pytest.mark.parametrize(
    ("worker", "runner"),
    [(SlurmWorker, SlurmRunner), (DLCWorker, DLCRunner), (VOLCWorker, VOLCRunner), (RJOBWorker, RJOBRunner)],
)
def test_a_work_pool_has_a_form_for_what_its_runner_takes(worker: type[Any], runner: type[Any]):
    template = worker.get_default_base_job_template()
    form = template["variables"]["properties"]
    wanted = {field.name for field in fields(runner)} - OF_TASKS
    assert wanted | {"num_gpus", "working_dir", "env"} <= form.keys() == template["job_configuration"].keys()
    assert [name for name, field in form.items() if not field.get("description")] == []


def test_prefect_finds_the_types_without_a_warning():
    program = "import blocks.prefect_collection as c; print(sorted(n for n in c.__all__ if n.endswith('Worker')))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "['DLCWorker', 'RJOBWorker', 'SlurmWorker', 'VOLCWorker']\n"
