"""Looks after the flow runs of a work pool that no worker follows: those of one that died, and cancelled ones."""

import asyncio
from abc import ABC
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
    WorkPoolFilter,
    WorkPoolFilterName,
)
from prefect.client.schemas.objects import FlowRun, StateType
from prefect.states import AwaitingRetry
from prefect.utilities.engine import propose_state
from prefect.workers.base import BaseWorker, BaseWorkerResult

from blocks.clusters.jobs import Cluster, Job, JobPhase, JobReport, SchedulerSilent
from blocks.clusters.polling import Polling
from blocks.clusters.pool_form import PoolConfiguration

ACTIVE = frozenset({JobPhase.WAITING, JobPhase.RUNNING})
_LOST_AFTER = 3
"""Times that a scheduler must know nothing of a job before its run counts as crashed."""
_SECONDS_UNTIL_CANCELLED = 60.0
"""After this a running job is ended from outside; until then its own process does it, and saves what it has."""
_SECONDS_TO_SUBMIT = 120.0
"""After this a pending run without a job is one whose worker died before it submitted."""


class FollowingWorker(BaseWorker[Any, Any, BaseWorkerResult], ABC):
    """Follows jobs to their ends, and says in the run's log why one ended.

    The job ids are on the server, so a restarted worker goes on with the jobs of the one before.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._followed: set[UUID] = set()
        self._cancelling: set[UUID] = set()
        self._missed: dict[str, int] = {}

    async def get_and_submit_flow_runs(self) -> list[FlowRun]:
        """See `BaseWorker`: called every few seconds, and so the time to look after runs that nobody follows."""
        if self._has_successfully_synced:
            await self._look_after_left_runs()
        return await super().get_and_submit_flow_runs()

    def _find(self, name: str) -> str | None:
        """The id of a job of that name which waits or runs, where the runner has a function that can tell."""
        find: Any = getattr(self.job_configuration.runner_type, "find_job", None)
        return find(name) if find else None

    async def _end(self, cluster: Cluster, job_id: str, job: Job) -> JobReport:
        missed, polling = 0, Polling(cluster.poll_seconds)
        while True:
            try:
                report = await job_report(cluster, job_id, job)
            except SchedulerSilent as silent:
                self._logger.warning("%s does not answer: %s", self.type, silent)
            else:
                missed = missed + 1 if report.phase is JobPhase.UNKNOWN else 0
                if report.phase not in (*ACTIVE, JobPhase.UNKNOWN) or missed == _LOST_AFTER:
                    return report
            await asyncio.sleep(cluster.poll_seconds if missed else polling.pause())

    async def _tell(self, flow_run: FlowRun, cluster: Cluster, job_id: str, job: Job, report: JobReport) -> None:
        if report.phase is not JobPhase.DONE:
            said = await asyncio.to_thread(cluster.explain, job_id, job, report)
            self.get_flow_run_logger(flow_run).error("%s", said)
            await self._crashed(flow_run.id, job_id, said.splitlines()[0])
        await asyncio.to_thread(cluster.close)

    async def _crashed(self, flow_run_id: UUID, job_id: str, message: str) -> None:
        """Not a run that has ended, waits again, or has another job by now."""
        flow_run = await self.client.read_flow_run(flow_run_id)
        state = flow_run.state
        settled = state is None or state.is_final() or state.is_scheduled() or flow_run.infrastructure_pid != job_id
        busy = self._followed | self._submitting_flow_run_ids | self._cancelling
        if not settled and flow_run.id not in busy:
            await self._propose_crashed_state(flow_run, message)

    async def _look_after_left_runs(self) -> None:
        states = FlowRunFilterStateType(any_=[StateType.PENDING, StateType.RUNNING, StateType.CANCELLING])
        runs = await self.client.read_flow_runs(
            work_pool_filter=WorkPoolFilter(name=WorkPoolFilterName(any_=[self._work_pool_name])),
            flow_run_filter=FlowRunFilter(state=FlowRunFilterState(type=states)),
        )
        for flow_run in runs:
            try:
                await self._look_after(flow_run)
            except Exception as error:  # noqa: BLE001  # the next time may succeed, and others wait
                self._logger.warning("flow run %s was not looked after: %s", flow_run.id, error)

    async def _look_after(self, flow_run: FlowRun) -> None:
        if flow_run.state is None or flow_run.id in self._submitting_flow_run_ids:
            return
        if flow_run.state.is_cancelling():
            await self._look_after_cancelling(flow_run)
        elif flow_run.id not in self._followed and not _is_new(flow_run):
            await self._look_after_left(flow_run)

    async def _look_after_cancelling(self, flow_run: FlowRun) -> None:
        """Ends the job of a run that its own process cannot end: one that waits, is gone, or takes too long."""
        job_id = flow_run.infrastructure_pid
        if job_id is None or flow_run.id in self._cancelling:
            return
        configuration = await self._configuration_of(flow_run)
        cluster, job = configuration.cluster(), configuration.job()
        report = await job_report(cluster, job_id, job)
        if flow_run.start_time is None or report.phase not in ACTIVE or _age(flow_run) > _SECONDS_UNTIL_CANCELLED:
            assert self._runs_task_group is not None
            self._cancelling.add(flow_run.id)
            self._runs_task_group.start_soon(self._cancel_job, flow_run, cluster, job_id, job, report)

    async def _cancel_job(self, flow_run: FlowRun, cluster: Cluster, job_id: str, job: Job, report: JobReport) -> None:
        try:
            if report.phase in ACTIVE:
                await asyncio.to_thread(cluster.cancel, [job_id])
                await self._end(cluster, job_id, job)  # until then its engine may write a state over ours
            message = f"{self.type} job {job_id} cancelled (it was {report.phase})"
            await self._mark_flow_run_as_cancelled(flow_run, {"message": message})
            await asyncio.to_thread(cluster.close)
        except Exception:
            self._logger.exception("cancelling %s job %s", self.type, job_id)
        finally:
            self._cancelling.discard(flow_run.id)

    async def _look_after_left(self, flow_run: FlowRun) -> None:
        """A run that an earlier worker left: its job is found by name, followed by its id, or was never submitted."""
        configuration = await self._configuration_of(flow_run)
        cluster, job = configuration.cluster(), configuration.job()
        job_id = flow_run.infrastructure_pid
        if job_id is None:
            found = await asyncio.to_thread(self._find, job.name)
            if found:
                await self.client.update_flow_run(flow_run.id, infrastructure_pid=found)
            elif flow_run.labels.get("prefect.worker.name", self.name) == self.name:
                self._logger.warning("flow run %s was never submitted; it is scheduled again", flow_run.id)
                await propose_state(
                    self.client, AwaitingRetry(message="its worker ended early"), flow_run_id=flow_run.id
                )
            return
        report = await job_report(cluster, job_id, job)
        self._missed[job_id] = self._missed.get(job_id, 0) + 1 if report.phase is JobPhase.UNKNOWN else 0
        if report.phase in (JobPhase.FAILED, JobPhase.CANCELLED) or self._missed[job_id] >= _LOST_AFTER:
            await self._tell(flow_run, cluster, job_id, job, report)
        elif report.phase is JobPhase.DONE:
            await asyncio.to_thread(cluster.close)

    async def _configuration_of(self, flow_run: FlowRun) -> PoolConfiguration:
        return await self.job_configuration.resolve_for_flow_run(
            flow_run,
            client=self.client,
            work_pool=self.work_pool,
            worker_name=self.name,
            worker_id=self.backend_id,
        )


async def job_report(cluster: Cluster, job_id: str, job: Job) -> JobReport:
    """What the scheduler says of one job; SchedulerSilent."""
    return (await asyncio.to_thread(cluster.reports, {job_id: job}))[job_id]


def _is_new(flow_run: FlowRun) -> bool:
    """Whether a worker may still be submitting it."""
    assert flow_run.state is not None
    return flow_run.state.is_pending() and _age(flow_run) < _SECONDS_TO_SUBMIT


def _age(flow_run: FlowRun) -> float:
    """Seconds since the run is in its state."""
    assert flow_run.state is not None
    return (datetime.now(UTC) - flow_run.state.timestamp).total_seconds()
