"""The plan of a run that is known by its folder alone, from what the run saved about itself."""

from pathlib import Path

from flows.preparation.prepare import prepare
from flows.run.record import last_invocation
from flows.run.summary import RunToReport, report_of
from tasks.plan.request import Mode, RunRequest
from tasks.plan.run_plan import RunPlan
from tasks.spec.findings import Finding, UserError
from tasks.spec.storage.run_folder import RunFolder

_IN_THE_CONFIGURATION = {
    *("config", "models", "datasets", "summarizer", "hf", "custom", "dataset_num_runs", "config_dir", "accelerator"),
    *("overrides", "runner", "partition", "quotatype", "qos", "aliyun_cfg", "station_path"),
}
"""Fields of a request that the saved configuration holds already."""


def plan_saved_run(root: Path, mode: Mode) -> RunPlan:
    """Plans a stage of the run in that folder as it was last asked for; UserError if nothing is saved there.

    Secrets that the saved configuration refers to come from this process's environment.
    """
    folder = RunFolder(root)
    record = last_invocation(folder)
    kept = {name: value for name, value in record.get("request", {}).items() if name in _kept_fields()}
    changes = {"config": str(_saved_config(folder)), "work_dir": str(root.parent), "reuse": root.name, "mode": mode}
    return prepare(RunRequest.model_validate(kept | changes), tuple(record.get("search_path", ())))


def run_to_report(folder: RunFolder) -> RunToReport:
    """The run of a folder as it was last asked for; UserError if it saved no configuration."""
    if folder.saved_config() is None:
        remedy = f"compass CONFIG -w {folder.root.parent} -r {folder.name} -m viz --report"
        raise UserError(Finding(f"{folder.root} holds no saved configuration", remedy=remedy))
    return report_of(plan_saved_run(folder.root.resolve(), "viz"), folder)


def _saved_config(folder: RunFolder) -> Path:
    saved = folder.saved_config()
    if saved is None:
        message = f"{folder.root} holds no saved configuration"
        raise UserError(Finding(message, remedy=f"start the flow `compass` with reuse={folder.name} and a config"))
    return saved


def _kept_fields() -> set[str]:
    return set(RunRequest.model_fields) - _IN_THE_CONFIGURATION
