"""A benchmark, a model class and a runner are added to a copy of the product: two or three files each."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.workspace import ROOT

LOADER = '''
"""Riddles of two numbers."""

from typing import Any

from tasks.data.interface import BaseDataset
from tasks.data.sources import source_rows


class RiddleDataset(BaseDataset):
    """Columns `question` and `answer`."""

    @staticmethod
    def load(path: str = "opencompass/riddles") -> list[dict[str, Any]]:
        """From the file `path`, or `riddles.jsonl` in the folder `path`."""
        return list(source_rows(path, "riddles.jsonl"))
'''
CONFIG = """
from tasks.data.benchmarks.riddles import RiddleDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

riddles_datasets = [
    dict(
        abbr="riddles",
        type=RiddleDataset,
        path="riddles.jsonl",
        reader_cfg=dict(input_columns=["question"], output_column="answer"),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template="{question}"),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer),
        ),
        eval_cfg=dict(evaluator=dict(type=AccEvaluator)),
    )
]
"""
BACKEND = '''
"""A service that adds."""

import asyncio
import re

from tasks.models.answering import answer_all
from tasks.models.interface import Backend, Completion
from tasks.models.token_count import Estimate
from tasks.spec.chat import prompt_text
from tasks.spec.status import Status


class AddingService(Backend):
    """Answers with the sum of the numbers."""

    count_tokens = Estimate()

    def __init__(self, path: str) -> None:
        self.path = path

    async def generate(self, requests, slots=None):
        async def answer(request):
            return Completion(Status.OK, (str(sum(map(int, re.findall(r"[0-9]+", prompt_text(request.prompt))))),))

        async for item in answer_all(answer, requests, slots or asyncio.Semaphore(8)):
            yield item
'''
RUNNER = '''
"""Tasks as jobs of a scheduler that runs them at once."""

import os
import subprocess
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from blocks.clusters.jobs import Cluster, Job, JobPhase, JobReport, NobodyToAsk, last_lines
from blocks.clusters.settings import Scheduler, setting


@dataclass(frozen=True)
class AtOnceRunner:
    """Runs each task when it is submitted."""

    scheduler: ClassVar[Scheduler] = Scheduler("AtOnce", "A scheduler without a queue", jobs="a job at once")
    max_num_workers: int = setting("Jobs that run at once.", 4, of_run=True, ge=1)
    retry: int = setting("Resubmissions of a failed job.", 0, of_run=True, ge=0)
    lane: str | None = setting("Lane of the jobs.", None)

    def cluster(self, run_folder: Path) -> Cluster:
        """See `ClusterRunner`."""
        return AtOnce()


class AtOnce(NobodyToAsk):
    most_per_submission, most_waiting, found_again, poll_seconds = 1, None, False, 0.1

    def __init__(self) -> None:
        self.codes: dict[str, int] = {}

    def submit(self, jobs: Sequence[Job], at_once: int) -> list[str]:
        for job in jobs:
            environ = {**os.environ, **job.environment}
            with job.log.open("ab") as log:
                done = subprocess.run(job.command, cwd=job.folder, env=environ, stdout=log, stderr=log, check=False)
            self.codes[job.key] = done.returncode
        return [job.key for job in jobs]

    def allow(self, ids: Collection[str], at_once: int) -> None: ...

    def reports(self, jobs: Mapping[str, Job]) -> dict[str, JobReport]:
        return {key: JobReport(JobPhase.FAILED if self.codes[key] else JobPhase.DONE) for key in jobs}

    def cancel(self, ids: Collection[str]) -> None: ...

    def explain(self, job_id: str, job: Job, report: JobReport) -> str:
        return last_lines(job.log)

    def close(self) -> None: ...
'''
BENCHMARK_FILES = {
    "tasks/data/benchmarks/riddles.py": LOADER,
    "configs/datasets/riddles/riddles_gen.py": CONFIG,
    "tasks/spec/names/dataset_types.py": ('_BENCHMARKS = (\n', '    ("riddles", "riddles", "RiddleDataset"),\n'),
}  # fmt: skip
MODEL_FILES = {
    "tasks/models/services/adding.py": BACKEND,
    "tasks/spec/names/model_types.py": (
        "MODELS: tuple[TypeEntry, ...] = (\n",
        '    TypeEntry("model", "tasks.models.services.adding.AddingService", "models", "adding"),\n',
    ),
}
RUNNER_FILES = {
    "blocks/clusters/at_once.py": RUNNER,
    "tasks/spec/names/run_types.py": (
        "RUN_PARTS: tuple[TypeEntry, ...] = (\n",
        '    TypeEntry("runner", "blocks.clusters.at_once.AtOnceRunner", "runners", "at_once"),\n',
    ),
}
MINE = """
from mmengine.config import read_base

with read_base():
    from opencompass.configs.datasets.riddles.riddles_gen import riddles_datasets as datasets

models = [dict(type="AddingService", abbr="adding", path="one")]
"""
TYPES = """
from blocks.prefect_collection import TYPES

assert TYPES["AtOnceBlock"](lane="left").runner().lane == "left"
assert "lane" in TYPES["AtOnceWorker"].get_default_base_job_template()["variables"]["properties"]
"""


@pytest.fixture
def product(tmp_path: Path) -> Path:
    """A copy of the product with the new files."""
    root = tmp_path / "product"
    for package in ("blocks", "configs", "deployments", "flows", "tasks"):
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name, content in {**BENCHMARK_FILES, **MODEL_FILES, **RUNNER_FILES}.items():
        path = root / name
        path.parent.mkdir(exist_ok=True)
        if isinstance(content, tuple):
            before, line = content
            assert before in path.read_text()
            path.write_text(path.read_text().replace(before, before + line))
        else:
            path.write_text(content.lstrip())
    return root


def test_a_benchmark_a_model_class_and_a_runner_need_two_or_three_files_each(product: Path, tmp_path: Path) -> None:
    for files in (BENCHMARK_FILES, MODEL_FILES, RUNNER_FILES):
        assert len(files) <= 3
    rows = [{"question": f"What is {n} and {n + 1}?", "answer": str(2 * n + 1)} for n in range(3)]
    (tmp_path / "riddles.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    (tmp_path / "mine.py").write_text(MINE)
    arguments = ["-m", "flows.eval", "mine.py", "--runner", "at_once", "--inline", "--no-progress", "-w", "out"]
    environ = {**os.environ, "PYTHONPATH": str(product)}
    for command in (arguments, ["-c", TYPES]):
        done = subprocess.run(
            [sys.executable, "-P", *command], cwd=tmp_path, env=environ, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stdout + done.stderr
    [result] = tmp_path.glob("out/*/results/adding/riddles.json")
    assert json.loads(result.read_bytes())["accuracy"] == 100.0
