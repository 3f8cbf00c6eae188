"""The stage flow `viz`: one task that writes the summary."""

import re
from typing import Any

from prefect import flow
from prefect.utilities.annotations import opaque

from flows.run import Run, run_of, stage_name
from flows.summarizing import make_summary
from tasks.report.task import summarize


@flow(name="viz", flow_run_name=lambda: stage_name("viz"), persist_result=False)
def viz(run_folder: str) -> None:
    """Summarises the results of the run."""
    run = run_of(run_folder)
    make: Any = opaque(lambda: make_summary(run))
    run.summary = summarize(make, artifact_key(run))


def viz_flow(run: Run) -> None:
    """Calls the flow for `run`."""
    viz(str(run.folder.root))


def artifact_key(run: Run) -> str:
    """Artifact keys hold lower-case letters, digits and dashes only."""
    return re.sub("[^a-z0-9]+", "-", f"{run.folder.root.parent.name}-{run.folder.name}".lower()).strip("-")
