"""A run in progress: its plan, its folder, and what its stages share. Knows no engine."""

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from flows.run_record import begin_record, dump_effective_config
from tasks.infer.progress import Progress
from tasks.infer.session import InferSession
from tasks.infer.work_log import WorkLogRouter
from tasks.plan.run_plan import RunPlan
from tasks.plan.shards import build_shards
from tasks.report.summary import Summary
from tasks.spec.run_folder import Pair, RunFolder, create_run_folder, exclusive, find_run_folder
from tasks.spec.shard import Shard

_log = logging.getLogger(__name__)


@dataclass
class Run:
    """One evaluation in this process. Stages record failures here; files tell the rest."""

    plan: RunPlan
    folder: RunFolder
    shards: tuple[Shard, ...]
    session: InferSession
    progress: Progress
    stop: threading.Event = field(default_factory=threading.Event)
    """Set when the user wants the run to end."""
    failures: dict[Pair, str] = field(default_factory=dict)
    """Why a pair has no score, in one line."""
    summary: Summary | None = None

    def interrupt(self) -> None:
        """Ends the run soon: everything answered is saved, nothing new is asked."""
        self.stop.set()
        self.session.interrupt()

    @property
    def exit_status(self) -> int:
        """0 all well, 1 something failed, 130 interrupted."""
        if self.stop.is_set():
            return 130
        return 1 if self.failures else 0


current_run: ContextVar[Run | None] = ContextVar("current_run", default=None)
"""The run whose stages are being called; how a stage flow reaches it without passing it through Prefect's parameters."""


@contextmanager
def open_run(plan: RunPlan) -> Iterator[Run]:
    """Creates or finds the run folder, holds it for this process and cleans up afterwards.

    Raises UserError if the folder to reuse does not exist or is in use.
    """
    request = plan.request
    folder = find_run_folder(plan.work_dir, request.reuse) if request.reuse else create_run_folder(plan.work_dir)
    progress = Progress()
    session = InferSession(folder, data=plan.data, progress=progress, search_path=plan.search_path)
    router = WorkLogRouter()
    logging.getLogger("tasks").addHandler(router)
    try:
        with _held(folder, request.mode):
            shards = tuple(build_shards(plan, folder)) if plan.runs("infer") else ()
            dump_effective_config(plan, folder)
            begin_record(plan, folder)
            run = Run(plan, folder, shards, session, progress)
            token = current_run.set(run)
            try:
                yield run
            finally:
                current_run.reset(token)
    finally:
        logging.getLogger("tasks").removeHandler(router)
        session.close()


@contextmanager
def _held(folder: RunFolder, mode: str) -> Iterator[None]:
    """A run that only summarises may stand beside one that still writes."""
    if mode == "viz":
        yield
    else:
        with exclusive(folder):
            yield
