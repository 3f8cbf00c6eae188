"""A run in progress: its plan, its folder, and what its stages share. Knows no engine."""

import logging
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path

from flows.alerts.observer import Observer
from flows.run.record import begin_record, dump_effective_config
from flows.run.window import Window
from flows.station.upload_outcome import KeptResults
from tasks.infer.budget import SpendingLimits
from tasks.infer.part_manifests import PartManifest
from tasks.infer.progress import Progress
from tasks.infer.session import InferSession
from tasks.models.engines.gpu_allocation import Placement
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import RunPlan, StagePlan
from tasks.plan.shards import build_shards
from tasks.report.summary.summary import Summary
from tasks.score.batch import PairOutcome, ScoreBatch
from tasks.score.judging.session import JudgeSession
from tasks.spec.shard import Shard
from tasks.spec.storage.printable import shown_name
from tasks.spec.storage.run_folder import (
    Pair,
    RunFolder,
    create_run_folder,
    exclusive,
    find_run_folder,
    remove_leftovers,
)

_log = logging.getLogger(__name__)
_MOST_TAGS = 40
"""What the server hears of a task names the tags of its run; it drops that, without a word, where they are 100."""


def _nobody_waits(_pair: Pair) -> None:
    """The default of `Run.pair_ready`."""


@dataclass(repr=False)
class Run:
    """One evaluation in this process. Stages record failures here; files tell the rest.

    It is shown without its content: `signal.signal` renders what it is given, and a plan of many pairs takes long.
    """

    plan: RunPlan
    folder: RunFolder
    shards: tuple[Shard, ...]
    session: InferSession
    progress: Progress
    stop: threading.Event = field(default_factory=threading.Event)
    """Set when the user wants the run to end."""
    engine_lost: threading.Event = field(default_factory=threading.Event)
    """Set when what executes the stages has gone away: others have to be begun again."""
    failures: dict[Pair, str] = field(default_factory=dict)
    """Why a pair has no score, in one line."""
    failed_in: dict[Pair, str] = field(default_factory=dict)
    """The stage, `infer` or `eval`, that a pair failed in."""
    error: Exception | None = None
    """What ended the stages before their end."""
    pair_ready: Callable[[Pair], None] = _nobody_waits
    """Called by the inference for each pair whose predictions file is complete."""
    to_infer: Window[Shard, list[PartManifest]] = field(init=False)
    """What the inference works through."""
    to_score: Window[ScoreBatch, list[PairOutcome]] = field(init=False)
    """What the scoring stage works through."""
    judging: JudgeSession = field(init=False)
    """Asks the judges of evaluators that have some."""
    summary: Summary | None = None
    kept: KeptResults | None = None
    """What became of the results at the station, if there is one."""
    observer: Observer = field(default_factory=Observer)
    """Told how the run gets on."""
    url: str = ""
    """Where the run is seen in a browser."""

    def __post_init__(self) -> None:
        self.judging = JudgeSession(self.session.access, self.plan.budget)
        self.progress.judge_answers = lambda: self.judging.answers
        self.begin_again()

    def begin_again(self) -> None:
        """Forgets how far the stages were: the files tell what is finished."""
        self.engine_lost.clear()
        self.to_infer = Window(_at_once(self.plan.infer), self.stop, self.engine_lost)
        self.to_score = Window(_at_once(self.plan.eval), self.stop, self.engine_lost)
        self.failures.clear()
        self.failed_in.clear()
        self.error = None
        self.kept = None
        self.url = ""
        self.observer.begun_again()

    def fail(self, stage: str, pair: Pair, reason: str) -> None:
        """Notes why the pair has no score; `stage` is `infer` or `eval`."""
        self.failures[pair] = reason
        self.failed_in[pair] = stage
        self.observer.failed(stage, pair, reason)

    def leave(self, pair: Pair, reason: str) -> None:
        """Notes that the pair is not finished because the run may spend no more."""
        self.failures[pair] = reason
        self.observer.left(pair, reason)

    def interrupt(self) -> None:
        """Ends the run soon: everything answered is saved, nothing new is asked."""
        self.stop.set()
        self.session.interrupt()
        self.judging.interrupt()

    @property
    def title(self) -> str:
        """How people recognise the run, e.g. `my_eval 20261129_120000`."""
        name = self.plan.source.stem if self.plan.source else " ".join(model.abbr for model in self.plan.models)
        return f"{shown_name(name)} {self.folder.name}"

    @property
    def tags(self) -> set[str]:
        """What the flow run is found by; of many names the first ones, models before datasets."""
        models = [f"model:{model.abbr}" for model in self.plan.models]
        datasets = [f"dataset:{dataset.abbr}" for dataset in self.plan.datasets]
        return set(list(dict.fromkeys([*models, *datasets]))[:_MOST_TAGS])

    @property
    def station_failure(self) -> str:
        """Why results of the run are missing at the station; empty if none is, or there is no station."""
        return self.kept.failure if self.kept else ""

    @property
    def exit_status(self) -> int:
        """0 all well, 1 something failed, 130 interrupted."""
        if self.stop.is_set():
            return 130
        return 1 if self.failures or self.error or self.station_failure else 0


def _at_once(stage: StagePlan) -> int:
    """Pieces of work that are handed out at the same time: all of them to a cluster, which counts them itself."""
    return sys.maxsize if stage.uses_jobs else stage.max_num_workers


def _placement(stage: StagePlan) -> Placement:
    """As many replicas of a model as tasks run at once, where GPUs allow."""
    return Placement(stage.max_num_workers, getattr(stage.built_runner, "max_workers_per_gpu", 1))


current_run: ContextVar[Run | None] = ContextVar("current_run", default=None)
"""The run whose stages are being called: stage flows reach it here, not through Prefect's parameters."""


@contextmanager
def open_run(plan: RunPlan, started_before: RunFolder | None = None) -> Iterator[Run]:
    """Creates or finds the run folder, holds it for this process and cleans up afterwards.

    `started_before` is the folder that the same run began earlier. Raises UserError if the folder to reuse does
    not exist or is in use.
    """
    request = plan.request
    folder = started_before or _folder(plan)
    progress = Progress()
    cache = Path(request.cache).expanduser() if request.cache else None
    session = InferSession(
        folder,
        data=plan.data,
        progress=progress,
        search_path=plan.search_path,
        cache=cache,
        limits=_spending_limits(request),
        concurrent_users=getattr(plan.infer.built_runner, "concurrent_users", None),
    )
    session.models.placement = _placement(plan.infer)
    try:
        with _held(folder, request.mode):
            shards = tuple(build_shards(plan, folder)) if plan.runs("infer") else ()
            dump_effective_config(plan, folder)
            for change in begin_record(plan, folder):
                _log.warning(change)
            run = Run(plan, folder, shards, session, progress)
            token = current_run.set(run)
            try:
                with _observed(run) as run.observer:
                    yield run
            finally:
                current_run.reset(token)
    finally:
        session.close()


def _spending_limits(request: RunRequest) -> SpendingLimits:
    return SpendingLimits(request.max_samples, request.max_tokens, request.max_cost, request.max_minutes)


def _observed(run: Run) -> AbstractContextManager[Observer]:
    """Imports the sender only for runs that send messages."""
    if not run.plan.request.wants_alerts:
        return nullcontext(Observer())
    from flows.alerts.sender import alerts_about

    return alerts_about(run)


def run_opened_in(run_folder: str) -> Run | None:
    """The run that this process has opened in that folder."""
    run = current_run.get()
    return run if run is not None and str(run.folder.root) == run_folder else None


def stage_name(stage: str, run_folder: str) -> str:
    """How people recognise a stage of a run."""
    run = run_opened_in(run_folder)
    return f"{stage} {run.title if run else Path(run_folder).name}"


def _folder(plan: RunPlan) -> RunFolder:
    if plan.request.reuse:
        return find_run_folder(plan.work_dir, plan.request.reuse)
    return create_run_folder(plan.work_dir)


@contextmanager
def _held(folder: RunFolder, mode: str) -> Iterator[None]:
    """A run that only summarises may stand beside one that still writes."""
    if mode == "viz":
        yield
    else:
        with exclusive(folder):
            remove_leftovers(folder)
            yield
            remove_leftovers(folder)  # of jobs that were killed
