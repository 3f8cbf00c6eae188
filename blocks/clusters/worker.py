"""Workers that run whole flow runs as jobs: work pools of the types `slurm`, `dlc`, `volc` and `rjob`."""

import asyncio
import os
import shlex
import sys
from abc import ABC
from collections.abc import Callable
from dataclasses import fields
from datetime import UTC, datetime
from fnmatch import fnmatch
from pathlib import Path
from typing import Any, ClassVar
from uuid import UUID

from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterState,
    FlowRunFilterStateType,
    WorkPoolFilter,
    WorkPoolFilterName,
)
from prefect.client.schemas.objects import FlowRun, StateType
from prefect.exceptions import InfrastructureError, InfrastructureNotFound
from prefect.states import AwaitingRetry
from prefect.utilities.engine import propose_state
from prefect.workers.base import BaseJobConfiguration, BaseVariables, BaseWorker, BaseWorkerResult
from pydantic import Field, PrivateAttr

from blocks.clusters.dlc.runner import DLCRunner
from blocks.clusters.jobs import Cluster, Job, JobPhase, JobReport, SchedulerSilent, SubmissionRefused
from blocks.clusters.rjob.runner import RJOBRunner
from blocks.clusters.slurm.batch import find_job
from blocks.clusters.slurm.runner import SlurmRunner
from blocks.clusters.volc.runner import VOLCRunner

__all__ = ["DLCWorker", "RJOBWorker", "SlurmWorker", "VOLCWorker"]

_ACTIVE = frozenset({JobPhase.WAITING, JobPhase.RUNNING})
_FORWARDED = ("*_API_KEY", "*_API_BASE", "*_BASE_URL", "HF_*", "OC_*", "COMPASS_DATA_CACHE", "COMPASS_SECRET_*",
              "*_proxy", "*_PROXY", "PYTHONPATH")  # fmt: skip
_LOST_AFTER = 3
"""Times that a scheduler must know nothing of a job before its run counts as crashed."""
_SECONDS_UNTIL_CANCELLED = 60.0
"""After this a running job is ended from outside; until then its own process does it, and saves what it has."""
_SECONDS_TO_SUBMIT = 120.0
"""After this a pending run without a job is one whose worker died before it submitted."""


class _Variables(BaseVariables):
    """What the jobs of all clusters share."""

    num_gpus: int = Field(default=0, ge=0, description="GPUs of the job that runs the flow; its tasks have their own.")
    working_dir: Path | None = Field(
        default=None, description="Where the job runs, on a disk that all machines share. Default: the worker's folder."
    )
    log_dir: Path = Field(default=Path("flow-run-logs"), description="Folder of the jobs' output, on that disk.")
    forwarded: list[str] = Field(
        default=list(_FORWARDED), description="Patterns of variables that jobs get from the worker's environment."
    )


class _Slurm(_Variables):
    partition: str | None = Field(default=None, description="Slurm partition.")
    quotatype: str | None = Field(default=None, description="Quota class, where the scheduler knows them.")
    qos: str | None = Field(default=None, description="Quality of service.")
    extra_command: list[str] = Field(default=[], description="Further options of sbatch, e.g. --time=4:00:00.")
    poll_interval: float = Field(default=5.0, gt=0, description="Seconds between two looks at the queue.")


class _DLC(_Variables):
    aliyun_cfg: dict[str, Any] = Field(default={}, description="workspace_id, worker_image, … as in DLCRunner.")
    preemptible: bool = Field(default=False, description="Jobs may have to give way.")


class _VOLC(_Variables):
    volcano_cfg: dict[str, Any] = Field(default={}, description="volcano_config_path, … as in VOLCRunner.")
    queue_name: str = Field(default="", description="Resource queue.")
    preemptible: bool = Field(default=False, description="Jobs may have to give way.")
    priority: int | None = Field(default=None, description="Priority of the jobs.")


class _RJOB(_Variables):
    rjob_cfg: dict[str, Any] = Field(default={}, description="task_id, image, mount, … as in RJOBRunner.")


class _Configuration(BaseJobConfiguration, _Variables):
    """One job for one flow run; subclasses add the fields of their variables."""

    runner_type: ClassVar[type[Any]]
    _flow_run: FlowRun | None = PrivateAttr(default=None)

    def prepare_for_flow_run(
        self,
        flow_run: FlowRun,
        deployment: Any = None,
        flow: Any = None,
        work_pool: Any = None,
        worker_name: str | None = None,
        worker_id: UUID | None = None,
    ) -> None:
        """See `BaseJobConfiguration`."""
        super().prepare_for_flow_run(flow_run, deployment, flow, work_pool, worker_name, worker_id)
        self._flow_run = flow_run

    def cluster(self) -> Cluster:
        """The scheduler for that run's job."""
        names = {item.name for item in fields(self.runner_type)}
        values = {name: getattr(self, name) for name in type(self).model_fields if name in names}
        return self.runner_type(**values).cluster(self._logs / str(self._run.id))

    def job(self) -> Job:
        """The job that executes the flow run."""
        flow_run = self._run
        given = shlex.split(self.command or "")
        command = (sys.executable, "-P", "-m", "prefect", *given[1:]) if given[:1] == ["prefect"] else tuple(given)
        own = {name: value for name, value in os.environ.items() if any(fnmatch(name, p) for p in self.forwarded)}
        variables = {name: value for name, value in self.env.items() if value is not None}
        variables.pop("PREFECT_HOME", None)  # on a disk of the worker's machine
        return Job(
            key=f"{flow_run.id.hex}{flow_run.run_count}",
            name=f"prefect-{flow_run.id}-{flow_run.run_count}",
            stage="flow",
            command=command,
            folder=(self.working_dir or Path.cwd()).absolute(),
            log=self._logs / f"{flow_run.id}.out",
            num_gpus=self.num_gpus,
            environment={**own, **variables},
        )

    @property
    def _run(self) -> FlowRun:
        assert self._flow_run is not None
        return self._flow_run

    @property
    def _logs(self) -> Path:
        return (self.working_dir or Path.cwd()).absolute() / self.log_dir


class _SlurmConfiguration(_Configuration, _Slurm):
    runner_type = SlurmRunner


class _DLCConfiguration(_Configuration, _DLC):
    runner_type = DLCRunner


class _VOLCConfiguration(_Configuration, _VOLC):
    runner_type = VOLCRunner


class _RJOBConfiguration(_Configuration, _RJOB):
    runner_type = RJOBRunner


class _ClusterWorker(BaseWorker[Any, Any, BaseWorkerResult], ABC):
    """Submits a job for each flow run, follows it, and says in the run's log why it ended.

    The job ids are on the server, so a restarted worker goes on with the jobs of the one before.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._followed: set[UUID] = set()
        self._cancelling: set[UUID] = set()
        self._missed: dict[str, int] = {}

    async def run(
        self,
        flow_run: FlowRun,
        configuration: _Configuration,
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
        self, infrastructure_pid: str, configuration: _Configuration, grace_seconds: int = 30
    ) -> None:
        """See `BaseWorker`."""
        job, cluster = configuration.job(), configuration.cluster()
        report = await _report(cluster, infrastructure_pid, job)
        if report.phase not in _ACTIVE:
            raise InfrastructureNotFound(f"{self.type} job {infrastructure_pid} is {report.phase}")
        await asyncio.to_thread(cluster.cancel, [infrastructure_pid])

    async def get_and_submit_flow_runs(self) -> list[FlowRun]:
        """See `BaseWorker`: called every few seconds, and so the time to look after runs that nobody follows."""
        if self._has_successfully_synced:
            await self._look_after_left_runs()
        return await super().get_and_submit_flow_runs()

    def _find(self, name: str) -> str | None:
        """The id of a job of that name which waits or runs, where the scheduler can tell."""
        return None

    async def _end(self, cluster: Cluster, job_id: str, job: Job) -> JobReport:
        missed = 0
        while True:
            try:
                report = await _report(cluster, job_id, job)
            except SchedulerSilent as silent:
                self._logger.warning("%s does not answer: %s", self.type, silent)
            else:
                missed = missed + 1 if report.phase is JobPhase.UNKNOWN else 0
                if report.phase not in (*_ACTIVE, JobPhase.UNKNOWN) or missed == _LOST_AFTER:
                    return report
            await asyncio.sleep(cluster.poll_seconds)

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
        report = await _report(cluster, job_id, job)
        if flow_run.start_time is None or report.phase not in _ACTIVE or _age(flow_run) > _SECONDS_UNTIL_CANCELLED:
            assert self._runs_task_group is not None
            self._cancelling.add(flow_run.id)
            self._runs_task_group.start_soon(self._cancel_job, flow_run, cluster, job_id, job, report)

    async def _cancel_job(self, flow_run: FlowRun, cluster: Cluster, job_id: str, job: Job, report: JobReport) -> None:
        try:
            if report.phase in _ACTIVE:
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
        report = await _report(cluster, job_id, job)
        self._missed[job_id] = self._missed.get(job_id, 0) + 1 if report.phase is JobPhase.UNKNOWN else 0
        if report.phase in (JobPhase.FAILED, JobPhase.CANCELLED) or self._missed[job_id] >= _LOST_AFTER:
            await self._tell(flow_run, cluster, job_id, job, report)
        elif report.phase is JobPhase.DONE:
            await asyncio.to_thread(cluster.close)

    async def _configuration_of(self, flow_run: FlowRun) -> _Configuration:
        return await self.job_configuration.resolve_for_flow_run(
            flow_run,
            client=self.client,
            work_pool=self.work_pool,
            worker_name=self.name,
            worker_id=self.backend_id,
        )


class SlurmWorker(_ClusterWorker):
    """Runs flow runs as jobs of sbatch."""

    type = "slurm"
    job_configuration = _SlurmConfiguration
    job_configuration_variables = _Slurm
    _description = "Run each flow run as a Slurm batch job."
    _display_name = "Slurm"

    def _find(self, name: str) -> str | None:
        return find_job(name)


class DLCWorker(_ClusterWorker):
    """Runs flow runs as jobs of Aliyun PAI-DLC."""

    type = "dlc"
    job_configuration = _DLCConfiguration
    job_configuration_variables = _DLC
    _description = "Run each flow run as a job of Aliyun PAI-DLC."
    _display_name = "Aliyun PAI-DLC"


class VOLCWorker(_ClusterWorker):
    """Runs flow runs as jobs of Volcano Engine's machine-learning platform."""

    type = "volc"
    job_configuration = _VOLCConfiguration
    job_configuration_variables = _VOLC
    _description = "Run each flow run as a job of Volcano Engine's machine-learning platform."
    _display_name = "Volcano Engine ML platform"


class RJOBWorker(_ClusterWorker):
    """Runs flow runs as jobs of the `rjob` scheduler."""

    type = "rjob"
    job_configuration = _RJOBConfiguration
    job_configuration_variables = _RJOB
    _description = "Run each flow run as a job of the rjob scheduler."
    _display_name = "rjob"


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


async def _report(cluster: Cluster, job_id: str, job: Job) -> JobReport:
    return (await asyncio.to_thread(cluster.reports, {job_id: job}))[job_id]


def _is_new(flow_run: FlowRun) -> bool:
    """Whether a worker may still be submitting it."""
    assert flow_run.state is not None
    return flow_run.state.is_pending() and _age(flow_run) < _SECONDS_TO_SUBMIT


def _age(flow_run: FlowRun) -> float:
    """Seconds since the run is in its state."""
    assert flow_run.state is not None
    return (datetime.now(UTC) - flow_run.state.timestamp).total_seconds()
