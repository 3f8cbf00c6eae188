"""Jobs by workers of Dask: each is one task, which runs its command as a process of its own.

Prefect's tasks stay in the run's process, where they wait for the jobs, as with every other cluster: workers need
neither Prefect nor its server, and get files instead of pickled models and data.
"""

import logging
import signal
from collections.abc import Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any
from uuid import uuid4

from blocks.clusters.dask.settings import DaskSettings
from blocks.clusters.jobs import Job, JobPhase, JobReport, NobodyToAsk, SchedulerSilent, SubmissionRefused, last_lines
from blocks.clusters.variables_file import VariablesFile
from tasks.spec.secrets.redaction import resolve_references

_log = logging.getLogger(__name__)
_SECONDS_TO_CONNECT = 30
_SECONDS_TO_CLOSE = 10
_IN_THIS_PROCESS = {"processes": False, "n_workers": 1, "memory_limit": 0, "silence_logs": logging.CRITICAL,
                    "dashboard_address": "127.0.0.1:0", "worker_dashboard_address": "127.0.0.1:0"}  # fmt: skip
"""Threads suffice where each only waits for a process. Dask's pages, which cannot be left out, are for this machine."""


class DaskCluster(NobodyToAsk):
    """Dask on behalf of one run and stage."""

    most_per_submission = 1
    most_waiting: int | None = None
    found_again = False

    def __init__(self, runner: DaskSettings, run_folder: Path) -> None:
        self.poll_seconds = runner.poll_interval
        self._runner = runner
        self._run_folder = run_folder
        self._own: Any = None
        """The cluster that was started for the run."""
        self._grows = False
        self._client: Any = None
        self._futures: dict[str, Any] = {}
        self._variables: VariablesFile | None = None

    def submit(self, jobs: Sequence[Job], at_once: int) -> list[str]:
        """See `Cluster`."""
        from blocks.clusters.dask.job import run_job

        [job] = jobs
        self._connect()
        self._find_gpus(job)
        if self._variables is None:
            self._variables = VariablesFile(self._run_folder, job.stage)
        file = self._variables.write(job, job.environment)
        job_id = f"compass-{job.stage}-{uuid4().hex}"
        self._futures[job_id] = self._client.submit(
            run_job, job.command, str(job.folder), str(job.log), str(file) if file else None,
            key=job_id, pure=False, retries=0, resources={"GPU": job.num_gpus} if job.num_gpus else None,
        )  # fmt: skip
        if self._grows:
            self._own.scale(cores=sum(not future.done() for future in self._futures.values()))
        return [job_id]

    def allow(self, ids: Collection[str], at_once: int) -> None:
        """See `Cluster`: every job is a submission of its own."""

    def reports(self, jobs: Mapping[str, Job]) -> dict[str, JobReport]:
        """See `Cluster`."""
        running: set[str] = set()
        if self._client is not None and self._client.status not in ("closing", "closed"):
            try:
                running = {key for keys in self._client.processing().values() for key in keys}
            except (OSError, TimeoutError) as error:
                raise SchedulerSilent(f"the scheduler of Dask does not answer: {error}") from error
        return {job_id: self._report(job_id, running) for job_id in jobs}

    def cancel(self, ids: Collection[str]) -> None:
        """See `Cluster`: the workers see within a moment that nobody wants the jobs."""
        futures = [self._futures.pop(job_id) for job_id in ids if job_id in self._futures]
        if futures and self._client is not None:
            with suppress(OSError, TimeoutError):
                self._client.cancel(futures, force=True)

    def explain(self, job_id: str, job: Job, report: JobReport) -> str:
        """See `Cluster`."""
        if report.phase is JobPhase.DONE:
            words = "it ended well without doing its work"
        elif report.phase is JobPhase.UNKNOWN:
            words = "it was lost with its cluster, or with the run that had started it"
        else:
            words = report.reason
        end = last_lines(job.log)
        return f"Dask job {job_id}: {words}" + (f"; the end of {job.log}:\n{end}" if end else "; it printed nothing")

    def close(self) -> None:
        """See `Cluster`; a cluster that was started for the run ends as well."""
        for each in (self._client, self._own):
            if each is not None:
                with suppress(OSError, TimeoutError):
                    each.close(timeout=_SECONDS_TO_CLOSE)
        self._client = self._own = None
        self._futures.clear()
        if self._variables is not None:
            self._variables.remove()

    def _connect(self) -> None:
        """SubmissionRefused if the cluster cannot be started, or its scheduler does not answer."""
        from distributed import Client

        if self._client is not None and self._client.status in ("closing", "closed"):
            self._client = None  # the scheduler was gone for long; there may be another at its address
        if self._client is not None:
            return
        if self._own is None and not self._runner.address:
            self._own = self._started()
        where = self._own if self._own is not None else self._runner.address
        try:
            self._client = Client(where, timeout=_SECONDS_TO_CONNECT, set_as_default=False)
        except (OSError, TimeoutError) as error:
            said = f"no scheduler of Dask answers at {self._runner.address or 'its address'}: {error}"
            raise SubmissionRefused(said, temporary=True) from error
        _log.info("Dask: %s", self._client.scheduler.address)

    def _started(self) -> Any:
        runner = self._runner
        path = runner.cluster_class or "distributed.LocalCluster"
        arguments: dict[str, Any] = resolve_references(dict(runner.cluster_kwargs))
        if runner.cluster_class is None and not arguments:
            arguments = {**_IN_THIS_PROCESS, "threads_per_worker": runner.max_num_workers}
        try:
            cluster = _class(path)(**arguments)
        except Exception as error:  # whatever a class of somebody else's raises
            raise SubmissionRefused(f"{path} cannot be started: {error}") from error
        if runner.adapt_kwargs:
            cluster.adapt(**runner.adapt_kwargs)
        self._grows = not runner.adapt_kwargs and getattr(cluster, "worker_spec", None) == {}
        return cluster

    def _find_gpus(self, job: Job) -> None:
        """SubmissionRefused if there are workers, and none that the job could ever run on."""
        if not job.num_gpus:
            return
        workers: Iterable[Any] = self._client.scheduler_info(n_workers=-1)["workers"].values()
        offered = [worker.get("resources", {}).get("GPU", 0) for worker in workers]
        if offered and max(offered) < job.num_gpus:
            raise SubmissionRefused(
                f"no worker of the Dask cluster offers {job.num_gpus} GPUs; start workers by "
                f'`dask worker --resources "GPU={job.num_gpus}" --nthreads 1`, each with its own CUDA_VISIBLE_DEVICES'
            )

    def _report(self, job_id: str, running: set[str]) -> JobReport:
        future = self._futures.get(job_id)
        if future is None or future.status in ("cancelled", "lost"):
            return JobReport(JobPhase.UNKNOWN)
        if future.status == "finished":
            status = future.result()
            return JobReport(JobPhase.FAILED, f"exit status {status}") if status else JobReport(JobPhase.DONE)
        if future.status == "error":
            error = future.exception()
            return JobReport(JobPhase.FAILED, f"{type(error).__name__}: {error}")
        return JobReport(JobPhase.RUNNING if job_id in running else JobPhase.WAITING)


def _class(path: str) -> Any:
    module, _, name = path.rpartition(".")
    with _signals_kept():
        return getattr(import_module(module), name)


@contextmanager
def _signals_kept() -> Generator[None]:
    """dask_jobqueue takes Ctrl-C for itself as it is imported, which is the run's; and this may be any thread."""

    def ignore(*_: Any) -> None: ...

    set_handler = signal.signal
    signal.signal = ignore
    try:
        yield
    finally:
        signal.signal = set_handler
