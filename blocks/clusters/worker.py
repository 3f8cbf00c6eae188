"""Workers that run whole flow runs as jobs: a type of work pools for each runner whose scheduler has some."""

import asyncio
from abc import ABC
from collections.abc import Callable
from types import new_class
from typing import Any

from prefect.client.schemas.objects import FlowRun
from prefect.exceptions import InfrastructureError, InfrastructureNotFound
from prefect.workers.base import BaseWorkerResult

from blocks.clusters.jobs import Cluster, Job, SubmissionRefused
from blocks.clusters.left_runs import ACTIVE, FollowingWorker, job_report
from blocks.clusters.pool_form import PoolConfiguration, pool_form
from blocks.clusters.runners import scheduler_classes, worker_name
from blocks.clusters.settings import Scheduler


class _ClusterWorker(FollowingWorker, ABC):
    """Submits a job for each flow run."""

    async def run(
        self,
        flow_run: FlowRun,
        configuration: PoolConfiguration,
        task_status: Any = None,
    ) -> BaseWorkerResult:
        """See `BaseWorker`: returns when the job has ended, whose end is reported here."""
        job, cluster = configuration.job(), configuration.cluster()
        self._followed.add(flow_run.id)
        try:
            job_id = await asyncio.to_thread(_submitted, cluster, job, self._find)
            self.get_flow_run_logger(flow_run).info("%s job %s; its output: %s", self.type, job_id, job.log)
            if task_status:
                task_status.started(job_id)
            report = await self._end(cluster, job_id, job)
        finally:
            self._followed.discard(flow_run.id)
        await self._tell(flow_run, cluster, job_id, job, report)
        return BaseWorkerResult(identifier=job_id, status_code=0)  # another one would be explained without its reason

    async def kill_infrastructure(
        self, infrastructure_pid: str, configuration: PoolConfiguration, grace_seconds: int = 30
    ) -> None:
        """See `BaseWorker`."""
        job, cluster = configuration.job(), configuration.cluster()
        report = await job_report(cluster, infrastructure_pid, job)
        if report.phase not in ACTIVE:
            raise InfrastructureNotFound(f"{self.type} job {infrastructure_pid} is {report.phase}")
        await asyncio.to_thread(cluster.cancel, [infrastructure_pid])


def _worker_of(runner: type[Any]) -> type[_ClusterWorker]:
    scheduler: Scheduler = runner.scheduler
    variables, configuration = pool_form(runner)
    body: dict[str, Any] = {
        "__module__": __name__,
        "__doc__": f"Runs each flow run as {scheduler.jobs}.",
        "type": scheduler.name.lower(),
        "job_configuration": configuration,
        "job_configuration_variables": variables,
        "_description": f"Run each flow run as {scheduler.jobs}.",
        "_display_name": scheduler.name,
    }
    return new_class(
        worker_name(runner.__name__), (_ClusterWorker,), exec_body=lambda namespace: namespace.update(body)
    )


WORKERS = {worker_name(runner.__name__): _worker_of(runner) for runner in scheduler_classes() if runner.scheduler.jobs}
"""The worker of each runner whose scheduler has work pools, by its name."""


def __getattr__(name: str) -> Any:
    if name in WORKERS:
        return WORKERS[name]
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def _submitted(cluster: Cluster, job: Job, find: Callable[[str], str | None]) -> str:
    """The id of the job: of one that a worker which died has submitted, or of a new one."""
    found = find(job.name)
    if found:
        return found
    job.log.parent.mkdir(parents=True, exist_ok=True)
    try:
        return cluster.submit([job], 1)[0]
    except SubmissionRefused as refused:
        raise InfrastructureError(f"the scheduler refuses the job: {refused}") from refused
