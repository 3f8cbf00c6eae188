"""What a report is made of, from a run in progress or from a run folder alone."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from flows.preparation.saved_run import plan_saved_run
from tasks.plan.run_plan import RunPlan
from tasks.spec.findings import Finding, UserError
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import Pair, RunFolder


class RunToReport(NamedTuple):
    """Arguments of `write_report` and of `read_content`."""

    models: Sequence[ModelSpec]
    datasets: Sequence[DatasetSpec]
    folder: RunFolder
    summarizer: dict[str, Any] | None
    search_path: Sequence[str]
    pairs: list[Pair]


def run_to_report(folder: RunFolder) -> RunToReport:
    """The run of a folder as it was last asked for; UserError if it saved no configuration."""
    if folder.saved_config() is None:
        remedy = f"compass CONFIG -w {folder.root.parent} -r {folder.name} -m viz --report"
        raise UserError(Finding(f"{folder.root} holds no saved configuration", remedy=remedy))
    return planned_report(plan_saved_run(folder.root.resolve(), "viz"), folder)


def planned_report(plan: RunPlan, folder: RunFolder) -> RunToReport:
    """The run of a plan."""
    pairs = [pair.pair for pair in plan.pairs]
    return RunToReport(plan.models, plan.datasets, folder, plan.summarizer, plan.search_path, pairs)
