"""Blocks and work pools offer what the runners take."""

import subprocess
import sys
from dataclasses import fields

import pytest
from support.repository import ROOT

from blocks.clusters.block import BLOCKS
from blocks.clusters.runners import block_name, scheduler_classes, worker_name
from blocks.clusters.worker import WORKERS

RUNNERS = {runner.__name__: runner for runner in scheduler_classes()}
OF_RUNS = {"keep_tmp_file", "debug", "phase", "eval_with_gpu", "submit_with"}
OF_TASKS = OF_RUNS | {"max_num_workers", "retry"}


@pytest.mark.parametrize("name", RUNNERS)
def test_a_block_has_the_fields_of_its_runner_and_makes_it(name: str):
    runner, block = RUNNERS[name], BLOCKS[block_name(name)]
    assert {field.name for field in fields(runner)} - OF_RUNS <= block.model_fields.keys()
    required = {"volcano_cfg": {"a": "b"}, "queue_name": "q", "rjob_cfg": {}}
    given = {key: required[key] for key in required if key in block.model_fields}
    assert block(**given).runner() == runner(**given)


@pytest.mark.parametrize("name", [name for name, runner in RUNNERS.items() if runner.scheduler.jobs])
def test_a_work_pool_has_a_form_for_what_its_runner_takes(name: str):
    template = WORKERS[worker_name(name)].get_default_base_job_template()
    form = template["variables"]["properties"]
    wanted = {field.name for field in fields(RUNNERS[name])} - OF_TASKS
    assert wanted | {"num_gpus", "working_dir", "env"} <= form.keys() == template["job_configuration"].keys()
    assert [key for key, field in form.items() if not field.get("description")] == []
    assert not template["variables"].get("required")


def test_prefect_finds_the_types_without_a_warning():
    program = "import blocks.prefect_collection as c; print(sorted(n for n in c.TYPES if n.endswith('Worker')))"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False, cwd=ROOT
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "['DLCWorker', 'RJOBWorker', 'SlurmWorker', 'VOLCWorker']\n"
