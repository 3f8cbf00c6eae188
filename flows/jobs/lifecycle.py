"""Work done by jobs of a cluster: submitted, watched, submitted again, found again, cancelled."""

import logging
import queue
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Generic, TypeVar
from uuid import uuid4

from blocks.clusters.jobs import Cluster, Job, JobPhase, JobReport, SchedulerSilent, SubmissionRefused
from blocks.clusters.polling import Polling
from flows.jobs.capacity import Submission, next_submission, widened
from flows.jobs.reattach import end_unwanted, jobs_of_earlier_process
from flows.jobs.records import HandedOver, JobRecords
from flows.jobs.work import Work
from tasks.infer.session import INTERRUPTED

_log = logging.getLogger(__name__)
Result = TypeVar("Result")

_TICK_SECONDS = 0.2
_SETTLE_SECONDS = 0.3
"""Work that comes together is submitted together."""
_SECONDS_UNTIL_NEXT_TRY = 20.0
"""After a refusal that may end by itself."""
_MOST_REFUSALS = 15
"""In a row, while no job of the run is left whose end could help."""
_LOOKS = 3
"""How often a job that is gone, or whose results are not there, is looked at: a shared disk takes its time."""


@dataclass
class JobHandle(Generic[Result]):
    """What becomes of a piece of work."""

    started: "Future[None]" = field(default_factory=Future[None])
    """Done when a job runs; cancelled if none ever will."""
    ended: "Future[Result]" = field(default_factory=Future[Result])


@dataclass
class _Entry(Generic[Result]):
    work: Work[Result]
    handle: JobHandle[Result]
    attempt: int = 0
    job: Job | None = None
    job_id: str = ""
    looks: int = 0
    first_look: float = 0.0
    sign: int | None = None
    """The job's last sign of life."""
    heard: float = 0.0
    """When it came, by this process's clock."""
    phase: JobPhase = JobPhase.WAITING


class ClusterJobs(AbstractContextManager["ClusterJobs[Result]"], Generic[Result]):
    """Runs work on a cluster, from a thread of its own.

    Jobs that still run when the block ends are left to whoever goes on with the run, if they can be found again; they
    are cancelled if not, or if `stop` is set.
    """

    def __init__(
        self,
        cluster: Cluster,
        records: JobRecords,
        *,
        at_once: int,
        retry: int,
        stop: threading.Event,
        failed: Callable[[Job, str], None] = lambda *_: None,
        silence: float | None = None,
    ) -> None:
        """`failed` is told of each job that is not submitted again although its work is not done.

        A job that gives signs of life, and then none for `silence` seconds, counts as failed; None: never.
        """
        self._cluster = cluster
        self._records = records
        self._at_once = at_once
        self._retry = retry
        self._stop = stop
        self._failed = failed
        self._silence = silence
        self._new: queue.SimpleQueue[_Entry[Result]] = queue.SimpleQueue()
        self._waiting: list[_Entry[Result]] = []
        self._running: dict[str, _Entry[Result]] = {}
        self._submissions: list[Submission] = []
        self._is_first = True
        """Whether no work was taken on yet."""
        self._closing = threading.Event()
        self._next_poll = self._next_submission = 0.0
        self._polling = Polling(cluster.poll_seconds)
        self._refusals = 0
        self._said = ""
        self._thread = threading.Thread(target=self._follow, name="jobs", daemon=True)

    def submit(self, work: Work[Result]) -> JobHandle[Result]:
        """Takes the work on; from any thread."""
        handle = JobHandle[Result]()
        self._new.put(_Entry(work, handle))
        return handle

    def __enter__(self) -> "ClusterJobs[Result]":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        self._thread.join()

    def _follow(self) -> None:
        try:
            while not self._closing.is_set() and not self._stop.is_set():
                self._take()
                self._submit()
                if time.monotonic() >= self._next_poll:
                    self._poll()
                    self._next_poll = time.monotonic() + self._polling.pause()
                self._closing.wait(_TICK_SECONDS)
            if self._stop.is_set() or not self._cluster.found_again:
                self._cancel()
        except Exception as error:  # noqa: BLE001 nobody may wait for ever
            full_or_gone = isinstance(error, OSError)  # of the disk: its words are enough
            _log.error("the jobs are no longer followed: %s", error, exc_info=not full_or_gone)
            self._cluster.cancel(list(self._running))
            self._give_up(f"the jobs are no longer followed: {error}")
        if not self._running:
            self._cluster.close()
        while not self._closing.wait(_TICK_SECONDS):  # what comes after an interrupt
            self._give_up(INTERRUPTED)

    def _take(self) -> None:
        """Takes on what was submitted: the job of an earlier process that still does it, or a new one."""
        taken: list[_Entry[Result]] = []
        with suppress(queue.Empty):
            taken.append(self._new.get_nowait())
            while True:
                taken.append(self._new.get(timeout=_SETTLE_SECONDS))
        if not taken:
            return
        first, self._is_first = self._is_first, False
        earlier = jobs_of_earlier_process(self._cluster, self._records) if first else {}
        for entry in taken:
            found = earlier.pop(entry.work.key, None)
            if found is None:
                self._waiting.append(entry)
            else:
                entry.attempt, entry.job_id, entry.job = found.attempt, found.id, entry.work.again()
                self._running[entry.job_id] = entry
        if self._running and first:
            _log.warning("%d jobs were submitted before: they are looked for, not submitted again", len(self._running))
            self._submissions.append(Submission(set(self._running), self._at_once))
        end_unwanted(self._cluster, self._records, earlier.values())

    def _submit(self) -> None:
        while self._waiting and time.monotonic() >= self._next_submission:
            jobs = {id(entry): self._prepared(entry) for entry in self._waiting}
            chosen, at_once = next_submission(
                [jobs[id(entry)] for entry in self._waiting], self._submissions, self._at_once, self._cluster,
                waiting=sum(entry.phase is JobPhase.WAITING for entry in self._running.values()),
            )  # fmt: skip
            if not chosen:
                return
            entries = [self._waiting[index] for index in chosen]
            if not self._hand_over(entries, [jobs[id(entry)] for entry in entries], at_once):
                return

    def _prepared(self, entry: _Entry[Result]) -> Job:
        if entry.job is None:
            entry.job = entry.work.begin()
            entry.attempt += 1
        return entry.job

    def _hand_over(self, entries: list[_Entry[Result]], jobs: list[Job], at_once: int) -> bool:
        handed_over = HandedOver(uuid4().hex, tuple((entry.work.key, entry.attempt) for entry in entries))
        self._records.submitting(handed_over)
        try:
            ids = self._cluster.submit([replace(job, submission=handed_over.name) for job in jobs], at_once)
        except SubmissionRefused as refused:
            self._records.submitted(handed_over, ())
            self._refused(entries, refused)
            return False
        self._refusals = 0
        chosen = set(map(id, entries))
        self._waiting = [entry for entry in self._waiting if id(entry) not in chosen]
        for entry, job_id in zip(entries, ids, strict=True):
            entry.job_id, entry.looks, entry.phase = job_id, 0, JobPhase.WAITING
            entry.first_look = 0.0
            self._running[job_id] = entry
        self._records.submitted(handed_over, ids)
        self._submissions.append(Submission(set(ids), at_once))
        self._polling.begin()
        self._next_poll = min(self._next_poll, time.monotonic() + self._polling.pause())
        _log.info("%d jobs submitted, the first is %s", len(ids), ids[0])
        return True

    def _refused(self, entries: list[_Entry[Result]], refused: SubmissionRefused) -> None:
        self._refusals = 0 if self._running else self._refusals + 1
        if refused.temporary and self._refusals <= _MOST_REFUSALS:
            self._warn("jobs cannot be submitted now, it is tried again: %s", refused)
            self._next_submission = time.monotonic() + _SECONDS_UNTIL_NEXT_TRY
            return
        for entry in entries:
            self._waiting.remove(entry)
            self._fail(entry, f"the scheduler refuses the job: {refused}")

    def _warn(self, text: str, reason: Exception) -> None:
        """Says once what comes again and again."""
        if str(reason) != self._said:
            self._said = str(reason)
            _log.warning(text, reason)

    def _poll(self) -> None:
        if not self._running:
            return
        jobs = {job_id: entry.job for job_id, entry in self._running.items() if entry.job is not None}
        try:
            reports = self._cluster.reports(jobs)
        except SchedulerSilent as silent:
            self._warn("the scheduler does not answer, it is asked again: %s", silent)
            return
        self._said = ""
        ended = {job_id: how for job_id, report in reports.items() if (how := self._reported(job_id, report))}
        for how in set(ended.values()):
            self._records.ended([job_id for job_id in ended if ended[job_id] == how], how)
        for job_id in ended:
            del self._running[job_id]
        for submission in self._submissions:
            submission.unfinished -= ended.keys()
        self._submissions = [submission for submission in self._submissions if submission.unfinished]
        for submission in widened(self._submissions, self._at_once) if not self._waiting else ():
            self._cluster.allow(submission.unfinished, submission.at_once)

    def _reported(self, job_id: str, report: JobReport) -> str:
        """How the job ended, if it has; its work then has its result, its error, or waits for another job."""
        entry = self._running[job_id]
        if report.phase is JobPhase.WAITING and entry.phase is JobPhase.RUNNING:
            _log.warning("job %s waits again: %s", job_id, report.reason or "its node failed, or it had to give way")
        entry.phase = report.phase
        if report.phase is JobPhase.RUNNING:
            _start(entry)
            if self._is_silent(entry):
                self._cluster.cancel([job_id])
                report = JobReport(JobPhase.FAILED, f"no sign of life for {self._silence:g} s")
        if report.phase in (JobPhase.WAITING, JobPhase.RUNNING):
            entry.looks, entry.first_look = 0, 0.0
            return ""
        return self._looked_at(entry, report)

    def _is_silent(self, entry: _Entry[Result]) -> bool:
        sign = entry.work.follow()
        if sign != entry.sign:
            entry.sign, entry.heard = sign, time.monotonic()
        return self._silence is not None and sign is not None and time.monotonic() - entry.heard > self._silence

    def _looked_at(self, entry: _Entry[Result], report: JobReport) -> str:
        try:
            result = entry.work.result()
        except Exception as error:  # noqa: BLE001 what the job says it failed with, of whatever type
            _start(entry)
            if not getattr(error, "retryable", False):
                self._tell_failed(entry, str(error))
                entry.handle.ended.set_exception(error)
            elif self._may_try_again(entry):
                self._try_again(entry, str(error))
            else:
                self._fail(entry, str(error), started=True)
            return "failed"
        if result is not None:
            _start(entry)
            entry.work.clean()
            entry.handle.ended.set_result(result)
            return "done"
        entry.looks += 1
        entry.first_look = entry.first_look or time.monotonic()
        waited = time.monotonic() - entry.first_look >= (_LOOKS - 1) * self._cluster.poll_seconds
        if report.phase in (JobPhase.DONE, JobPhase.UNKNOWN) and not (entry.looks >= _LOOKS and waited):
            return ""
        self._without_result(entry, report)
        return str(report.phase)

    def _without_result(self, entry: _Entry[Result], report: JobReport) -> None:
        if entry.job is None:
            raise ValueError(f"{entry.job_id} was never submitted")
        reason = self._cluster.explain(entry.job_id, entry.job, report)
        if report.phase is not JobPhase.CANCELLED and self._may_try_again(entry):
            self._try_again(entry, reason)
        else:
            _log.error("%s: %s", entry.job.name, reason)
            self._fail(entry, _one_line(reason), started=True)

    def _may_try_again(self, entry: _Entry[Result]) -> bool:
        return entry.attempt <= self._retry

    def _try_again(self, entry: _Entry[Result], reason: str) -> None:
        name = entry.job.name if entry.job else entry.work.key
        _log.warning("%s is submitted again (%d of %d): %s", name, entry.attempt, self._retry, reason)
        entry.job, entry.phase, entry.sign = None, JobPhase.WAITING, None
        self._waiting.append(entry)

    def _fail(self, entry: _Entry[Result], reason: str, *, started: bool = False) -> None:
        if started:
            _start(entry)
        else:
            entry.handle.started.cancel()
        self._tell_failed(entry, reason)
        entry.handle.ended.set_exception(entry.work.failed(reason))

    def _tell_failed(self, entry: _Entry[Result], reason: str) -> None:
        if entry.job is not None and reason != INTERRUPTED:
            self._failed(entry.job, reason)

    def _cancel(self) -> None:
        self._cluster.cancel(list(self._running))
        self._records.ended(self._running, "cancelled")
        self._give_up(INTERRUPTED)

    def _give_up(self, reason: str) -> None:
        with suppress(queue.Empty):
            while True:
                self._waiting.append(self._new.get_nowait())
        for entry in (*self._waiting, *self._running.values()):
            self._fail(entry, reason)
        self._waiting, self._running, self._submissions = [], {}, []


def _start(entry: _Entry[Result]) -> None:
    if not entry.handle.started.done():
        entry.handle.started.set_result(None)


def _one_line(reason: str) -> str:
    """The first line of an explanation, and the last of the log it ends with."""
    first, *others = reason.strip().splitlines()
    return f"{first} {others[-1].strip()}" if others else first
