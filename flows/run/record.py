"""What a run leaves behind about itself: the effective configuration and `run.json`."""

import importlib.metadata
import os
import platform
import sys
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from flows.run.differences import changes, identities
from tasks.plan.configured_options import COMMAND_LINE
from tasks.plan.run_plan import RunPlan
from tasks.spec.config.dump import dump_config
from tasks.spec.secrets.scrubber import SecretScrubber
from tasks.spec.storage.file_locks import locked
from tasks.spec.storage.run_folder import RunFolder, read_json, run_names, timestamp, write_atomically, write_json

RUN_FORMAT = 1
_RUNS_LOOKED_AT = 200
_PACKAGES = ("compass-llm-eval", "prefect", "openai", "aiohttp", "pydantic")


def dump_effective_config(plan: RunPlan, folder: RunFolder) -> None:
    """Writes `configs/<time>_<pid>.py`, free of secrets; one per invocation."""
    path = folder.configs / f"{timestamp()}_{os.getpid()}.py"
    values, options = plan.values, plan.values.get(COMMAND_LINE)
    if options and "reuse" in options:  # `latest` would be another run later
        values = values | {COMMAND_LINE: options | {"reuse": folder.name}}
    write_atomically(path, dump_config(values).encode("utf-8", "backslashreplace"))


def begin_record(plan: RunPlan, folder: RunFolder) -> list[str]:
    """Adds this invocation to `run.json`; returns what is not as the earlier ones left it, in sentences."""
    asked = identities(plan)
    invocation = {
        **_this_process(),
        "started": datetime.now().isoformat(timespec="seconds"),
        "request": scrubbed_request(plan),
        "config": str(plan.source) if plan.source else None,
        "search_path": list(plan.search_path),
        "versions": _versions(),
        **asked,
    }
    with _changed(folder) as invocations:
        changed = changes(asked, invocations)
        invocations.append(invocation)
    return changed


def update_record(folder: RunFolder, **fields: Any) -> None:
    """Adds fields to this process's invocation, e.g. Prefect's flow-run id or the exit status."""
    own = _this_process().items()
    with _changed(folder) as invocations:
        next(i for i in reversed(invocations) if own <= i.items()).update(fields)


def last_invocation(folder: RunFolder) -> dict[str, Any]:
    """What the newest invocation recorded; empty for a folder that another program wrote."""
    return next(reversed(_read(folder)["invocations"]), {})


def last_asking(folder: RunFolder) -> dict[str, Any]:
    """What the newest invocation recorded that could ask models; empty if there is none."""
    return next((entry for entry in reversed(_read(folder)["invocations"]) if "models" in entry), {})


def find_run_of_flow(work_dir: Path, flow_run_id: str | None) -> RunFolder | None:
    """The run folder that this Prefect flow run began before it was retried or rescheduled."""
    for name in reversed(run_names(work_dir)[-_RUNS_LOOKED_AT:]):
        folder = RunFolder(work_dir / name)
        if flow_run_id and any(i.get("flow_run_id") == flow_run_id for i in _read(folder)["invocations"]):
            return folder
    return None


@contextmanager
def _changed(folder: RunFolder) -> Generator[list[dict[str, Any]]]:
    """The invocations, written back after the block; a summary may be made while a run still writes."""
    with locked(folder.root / ".run.json.lock"):
        record = _read(folder)
        yield record["invocations"]
        write_json(folder.run_file, record)


def scrubbed_request(plan: RunPlan) -> dict[str, Any]:
    """What was asked for without secrets: a change of the configuration by `--set` may be one."""
    scrub = SecretScrubber.of_configuration(plan.values).scrub

    def cleaned(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: cleaned(item) for key, item in value.items()}
        if isinstance(value, list):
            return [cleaned(item) for item in value]
        return scrub(value) if isinstance(value, str) else value

    return cleaned(plan.request.model_dump(exclude_defaults=True, mode="json"))


def _this_process() -> dict[str, Any]:
    return {"host": platform.node(), "pid": os.getpid()}


def _read(folder: RunFolder) -> dict[str, Any]:
    try:
        record = read_json(folder.run_file)
    except (OSError, ValueError):
        record = {}
    return {"format": RUN_FORMAT, "invocations": [], **(record if isinstance(record, dict) else {})}


def _versions() -> dict[str, str]:
    found = {"python": sys.version.split()[0]}
    for package in _PACKAGES:
        try:
            found[package] = importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            continue
    return found
