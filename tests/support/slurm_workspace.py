"""A user's folder on a machine that submits to Slurm."""

import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from support.fake_backend import add
from support.scripted_server import ScriptedServer
from support.slurm import Slurm, wait_until
from support.workspace import Workspace

from tasks.spec.storage.json_text import parse_json

OWN_MODELS = """
import asyncio, os
from pathlib import Path
from tasks.models.answering import answer_all
from tasks.models.interface import Backend, Completion
from tasks.models.token_count import Estimate
from tasks.spec.status import Status


class SaysItsGpus(Backend):
    count_tokens = Estimate()

    async def generate(self, requests, slots=None):
        async for item in answer_all(self.one, requests, slots or asyncio.Semaphore(8)):
            yield item

    async def one(self, request):
        return Completion(Status.OK, (os.environ.get("CUDA_VISIBLE_DEVICES", "none"),), "stop")


class Dies(SaysItsGpus):
    async def one(self, request):
        with open(Path(__file__).with_name("deaths"), "a") as file:
            file.write("x")
        print("the last words of the job", flush=True)
        os._exit(127)
"""


@dataclass
class SlurmWorkspace(Workspace):
    """A workspace whose configuration asks for Slurm."""

    slurm: Slurm

    def ask_for(
        self, rows: dict[str, int], *, tasks: int = 2, workers: int = 4, eval_runner: str = "", extra: str = "",
        key: str = "EMPTY", **runner: Any,
    ) -> None:  # fmt: skip
        """A configuration whose inference is cut into `tasks` jobs."""
        slurm = dict(type="SlurmRunner", partition="main", max_num_workers=workers, poll_interval=0.3, **runner)
        partitioner = dict(type="NumWorkerPartitioner", num_worker=tasks, num_split=tasks, min_task_size=1)
        stages = f"""
infer = dict(partitioner={partitioner!r}, runner=dict({slurm!r}, task=dict(type='OpenICLInferTask')))
eval = dict(runner=dict({eval_runner or repr(slurm)}, task=dict(type='OpenICLEvalTask')))
"""
        (self.folder / "own_models.py").write_text(OWN_MODELS)
        self.write(rows, extra=stages + extra, key=key)

    def begin(self, *arguments: str, environ: dict[str, str] | None = None) -> "subprocess.Popen[str]":
        """`compass` on the configuration, as a process."""
        return self.start(str(self.config), *arguments, environ={**self.slurm.environment, **(environ or {})})

    def finish(self, *arguments: str, environ: dict[str, str] | None = None) -> "subprocess.CompletedProcess[str]":
        """`compass` on the configuration, to its end."""
        environ = {**self.slurm.environment, **(environ or {})}
        return self.run(str(self.config), *arguments, environ=environ, timeout=240)

    def submitted(self, stage: str = "infer") -> list[str]:
        """Ids of the jobs that the newest run has submitted, in their order."""
        events = map(parse_json, (self.run_folder / f".jobs/{stage}.jsonl").read_bytes().splitlines())
        return [event["id"] for event in events if event and "key" in event]

    def wait_for(self, requests: int) -> None:
        """Waits until the model was asked so often."""
        wait_until(lambda: self.server.requests >= requests)


def slurm_workspace(folder: Path, slurm: Slurm) -> SlurmWorkspace:
    """A workspace with a server that is not started yet."""
    return SlurmWorkspace(folder, ScriptedServer(add), slurm)
