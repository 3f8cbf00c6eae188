"""The stage flow `viz`: one task that writes the summary."""

import re
from contextlib import suppress
from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State, StateType
from prefect.exceptions import CancelledRun
from prefect.runtime import flow_run
from prefect.utilities.annotations import opaque

from flows.flow_runs.execution import carry_out_stage
from flows.run.run import Run, stage_name
from flows.run.summary import make_summary
from tasks.report.task import summarize


def _run_name() -> str:
    return stage_name("viz", str(flow_run.parameters["run_folder"]))


@flow(name="viz", flow_run_name=_run_name, persist_result=False)
def viz(run_folder: str) -> State[None] | None:
    """Summarises the results of a run.

    Args:
        run_folder: Absolute path of the run's folder.
    """
    outcome = carry_out_stage(run_folder, "viz", _summarize, flow_run.id)
    return State(type=StateType(outcome.type), message=outcome.message) if outcome else None


def _summarize(run: Run) -> None:
    make: Any = opaque(lambda: make_summary(run))
    run.summary = summarize(make, artifact_key(run))


def viz_flow(run: Run) -> None:
    """Calls the flow for `run`."""
    with suppress(CancelledRun):  # the run knows that it was interrupted
        viz(str(run.folder.root))


def artifact_key(run: Run) -> str:
    """Artifact keys hold lower-case letters, digits and dashes only."""
    return re.sub("[^a-z0-9]+", "-", f"{run.folder.root.parent.name}-{run.folder.name}".lower()).strip("-")
