"""A folder as a user has it: a configuration, data beside it, and a server to ask."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.fake_backend import add
from support.scripted_server import ScriptedServer
from support.specs import sums, write_rows

from tasks.spec.storage.run_folder import read_json, run_names

ROOT = Path(__file__).parents[2]

CONFIG = """\
from opencompass.models import OpenAISDK
from opencompass.openicl.icl_evaluator import AccEvaluator
from opencompass.openicl.icl_inferencer import GenInferencer
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever
from opencompass.datasets import CustomDataset

datasets = [
    dict(
        abbr=abbr,
        type=CustomDataset,
        path={folder!r} + '/' + abbr + '.jsonl',
        reader_cfg=dict(input_columns=['question'], output_column='answer'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{{question}}')])),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=16),
        ),
        eval_cfg=dict(evaluator=dict(type=AccEvaluator)),
    )
    for abbr in {abbrs!r}
]
models = [
    dict(
        type=OpenAISDK, abbr='adder', path='adder', key='{key}', openai_api_base='{url}',
        batch_size=4, retry=1, **{model!r}
    ),
]
work_dir = {folder!r} + '/outputs'
"""


@dataclass
class Workspace:
    """One user's folder and the server their config asks."""

    folder: Path
    server: ScriptedServer

    @property
    def config(self) -> Path:
        return self.folder / "my_eval.py"

    @property
    def work_dir(self) -> Path:
        return self.folder / "outputs"

    @property
    def run_folder(self) -> Path:
        """The newest run."""
        return self.work_dir / run_names(self.work_dir)[-1]

    def write(self, rows: dict[str, int] | None = None, *, extra: str = "", key: str = "EMPTY", **model: Any) -> Path:
        """Writes data (dataset → number of sums) and the configuration that asks for it."""
        rows = {"sums": 10} if rows is None else rows
        for abbr, count in rows.items():
            write_rows(self.folder / f"{abbr}.jsonl", sums(count))
        text = CONFIG.format(folder=str(self.folder), abbrs=list(rows), url=self.server.url, key=key, model=model)
        self.config.write_text(text + extra)
        return self.config

    def read(self, relative: str) -> Any:
        """A JSON file of the newest run."""
        return read_json(self.run_folder / relative)

    def start(self, *arguments: str, environ: dict[str, str] | None = None) -> "subprocess.Popen[str]":
        """`compass` as a process of its own, in a process group of its own."""
        return subprocess.Popen(
            [sys.executable, "-P", "-m", "flows.eval", *arguments],
            cwd=self.folder,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]),
                **(environ or {}),
            },
        )

    def run(
        self, *arguments: str, environ: dict[str, str] | None = None, timeout: float = 120
    ) -> "subprocess.CompletedProcess[str]":
        """`compass` to its end."""
        process = self.start(*arguments, environ=environ)
        try:
            output, errors = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            kill_group(process)
            raise
        return subprocess.CompletedProcess(arguments, process.returncode, output, errors)


def kill_group(process: "subprocess.Popen[str]") -> None:
    """SIGKILL for the process and its children."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def make_workspace(folder: Path, answer: Callable[[str], str] = add, **server: Any) -> Workspace:
    """A workspace with a server that is not started yet."""
    return Workspace(folder, ScriptedServer(answer, **server))


def stored(path: Path) -> dict[str, Any]:
    """Predictions without what differs between equal runs."""
    records = json.loads(path.read_bytes())
    return {
        key: {k: v for k, v in record.items() if k not in ("latency", "attempts")} for key, record in records.items()
    }
