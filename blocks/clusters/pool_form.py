"""The form of a work pool, and the job that it makes of a flow run."""

import os
import shlex
import sys
from dataclasses import fields
from fnmatch import fnmatch
from pathlib import Path
from types import new_class
from typing import Any, ClassVar
from uuid import UUID

from prefect.client.schemas.objects import FlowRun
from prefect.workers.base import BaseJobConfiguration, BaseVariables
from pydantic import Field, PrivateAttr

from blocks.clusters.jobs import Cluster, Job
from blocks.clusters.settings import pool_fields

_FORWARDED = ("*_API_KEY", "*_API_BASE", "*_BASE_URL", "HF_*", "OC_*", "COMPASS_DATA_CACHE", "COMPASS_SECRET_*",
              "*_proxy", "*_PROXY", "PYTHONPATH")  # fmt: skip


class PoolVariables(BaseVariables):
    """What the jobs of all clusters share."""

    num_gpus: int = Field(default=0, ge=0, description="GPUs of the job that runs the flow; its tasks have their own.")
    working_dir: Path | None = Field(
        default=None, description="Where the job runs, on a disk that all machines share. Default: the worker's folder."
    )
    log_dir: Path = Field(default=Path("flow-run-logs"), description="Folder of the jobs' output, on that disk.")
    forwarded: list[str] = Field(
        default=list(_FORWARDED), description="Patterns of variables that jobs get from the worker's environment."
    )


class PoolConfiguration(BaseJobConfiguration, PoolVariables):
    """One job for one flow run; subclasses add the settings of their runner."""

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


def pool_form(runner: type[Any]) -> tuple[type[PoolVariables], type[PoolConfiguration]]:
    """The variables of the runner's work pools, and what is made of them for one flow run."""
    made = pool_fields(runner)
    body: dict[str, Any] = {
        "__module__": __name__,
        "__annotations__": {name: kind for name, (kind, _) in made.items()},
        **{name: value for name, (_, value) in made.items()},
    }
    variables = new_class(f"{runner.__name__}Variables", (PoolVariables,), exec_body=lambda space: space.update(body))
    own: dict[str, Any] = {"__module__": __name__, "runner_type": runner, "__annotations__": {}}
    bases = (PoolConfiguration, variables)
    return variables, new_class(f"{runner.__name__}Configuration", bases, exec_body=lambda space: space.update(own))
