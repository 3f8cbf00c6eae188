"""An engine that needs no model, and the backend that runs it in a process of its own."""

import os
import signal
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, ClassVar

from tasks.models.engines.backend import EngineBackend
from tasks.models.engines.interface import Done, Engine, EngineError, Job
from tasks.models.interface import Completion, Likelihood, ScoreRequest
from tasks.models.token_count import Estimate
from tasks.spec.chat import prompt_text
from tasks.spec.status import Status


class EchoEngine(Engine):
    """Answers `batch` jobs per step with their text in capitals; a prompt `die` ends the process.

    `starts` is a file of process ids; the first step ends the process if there is no file `die_once` yet.
    """

    def __init__(
        self,
        batch: int = 2,
        delay: float = 0.0,
        fault: str = "",
        log: str = "",
        starts: str = "",
        die_once: str = "",
        *,
        killed_loading: bool = False,
    ) -> None:
        if starts:
            _append(starts, str(os.getpid()))
        if killed_loading:
            os.kill(os.getpid(), signal.SIGKILL)
        if fault:
            raise EngineError(fault)
        self._batch, self._delay, self._log, self._die_once = batch, delay, log, die_once
        self._waiting: list[Job] = []

    def add(self, jobs: Sequence[Job]) -> list[Done]:
        self._waiting += jobs
        return []

    def step(self) -> list[Done]:
        if self._die_once and not Path(self._die_once).exists():
            _append(self._die_once, "died")
            os._exit(7)
        batch, self._waiting = self._waiting[: self._batch], self._waiting[self._batch :]
        time.sleep(self._delay)
        return [(job.index, self._answer(job)) for job in batch]

    @property
    def is_busy(self) -> bool:
        return bool(self._waiting)

    def _answer(self, job: Job) -> Completion | Likelihood:
        if isinstance(job, ScoreRequest):
            return Likelihood(Status.OK, -1.0, len(job.continuation))
        text = prompt_text(job.prompt)
        if text == "die":
            os._exit(7)
        if self._log:
            _append(self._log, text)
        return Completion(Status.OK, (os.environ.get("CUDA_VISIBLE_DEVICES", "") if text == "gpus" else text.upper(),))


def _append(path: str, line: str) -> None:
    with Path(path).open("a", encoding="utf-8") as file:
        file.write(line + "\n")


class EchoBackend(EngineBackend):
    """Runs an EchoEngine."""

    engine: ClassVar[str] = "support.fake_engine.EchoEngine"
    count_tokens = Estimate()
    can_score = True

    def __init__(self, **options: Any) -> None:
        super().__init__()
        self._options = options

    @property
    def engine_pids(self) -> list[int]:
        """Process ids of the running engines."""
        return [replica._process._process.pid for replica in self._replicas if replica._process]

    def load(self) -> dict[str, Any]:
        return self._options
