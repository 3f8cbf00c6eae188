"""Where the configuration comes from: a file, or names and flags; and what the command line changes in it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasks.plan.request import RunRequest
from tasks.plan.runners import replace_runners
from tasks.plan.source.accelerator import accelerate
from tasks.plan.source.chatml import expand_chatml
from tasks.plan.source.custom_dataset import custom_entry, expand_custom_datasets
from tasks.plan.source.hf_model import hf_entry
from tasks.plan.source.overrides import override
from tasks.spec.config.bases import PACKAGED_CONFIGS
from tasks.spec.config.file import load_config
from tasks.spec.config.lookup import load_named
from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.storage.user_paths import given_file
from tasks.spec.values import ConfigDict, as_config

_CONFIG_DIR = "configs"
"""Searched for names where `--config-dir` says nothing."""
_GROUPS = "example"
"""The summarizer that shows every group of benchmarks whose members were asked."""


@dataclass(frozen=True)
class Source:
    """The effective configuration."""

    path: Path | None
    values: ConfigDict
    search_path: tuple[str, ...]
    """Folders that own classes are imported from."""
    findings: tuple[Finding, ...] = ()


def read_source(request: RunRequest, own_classes: tuple[str, ...] = ()) -> Source:
    """Reads the configuration the request names and applies its changes; UserError if that cannot be done.

    `own_classes` are folders of the user's classes, where they do not lie beside the configuration.
    """
    path = config_path(request.config) if request.config is not None else None
    if path is not None:
        values, search_path = load_config(path).values, (str(path.resolve().parent),)
    else:
        values, search_path = _named(request), (str(Path.cwd()),)
    search_path = own_classes or _own_classes(values) or search_path
    values = as_config(expand_chatml(expand_custom_datasets(values)), Place())
    values = as_config(override(values, request.overrides), Place())
    findings: list[Finding] = []
    if request.accelerator is not None:
        values, kept = accelerate(values, request.accelerator)
        findings += kept
    values, replaced = replace_runners(as_config(values, Place()), request, search_path)
    return Source(path, as_config(values, Place()), search_path, (*findings, *replaced))


def config_path(written: str) -> Path:
    """The file a configuration's path means: from the current folder, else among the packaged configurations."""
    return given_file(written) or packaged_config(written) or Path(written)


def packaged_config(written: str) -> Path | None:
    """The packaged configuration that a relative path names, with or without `configs/`; None if there is none."""
    path = Path(written)
    if path.is_absolute() or ".." in path.parts:
        return None
    roots = (PACKAGED_CONFIGS, PACKAGED_CONFIGS.parent)
    return next(filter(None, (given_file(root / path) for root in roots)), None)


def _own_classes(values: ConfigDict) -> tuple[str, ...]:
    """The folders that a saved configuration names; UserError if they are none."""
    folders = values.get("own_classes", [])
    if isinstance(folders, list | tuple) and all(isinstance(folder, str) for folder in folders):
        return tuple(folders)
    raise UserError(Finding("own_classes is a list of folders", values.place_of("own_classes")))


def _named(request: RunRequest) -> ConfigDict:
    config_dir = _config_dir(request)
    models = [hf_entry(request.hf)] if request.hf else load_named("models", request.models, config_dir)
    datasets = load_named("datasets", request.datasets, config_dir) if request.datasets else []
    datasets += [custom_entry(request.custom)] if request.custom else []
    if request.dataset_num_runs > 1:
        repeats = ConfigDict(n=request.dataset_num_runs, k=request.dataset_num_runs)
        datasets = [dataset | repeats for dataset in datasets]
    values: dict[str, Any] = {"models": models, "datasets": datasets}
    if request.summarizer or request.datasets:
        values["summarizer"] = load_named("summarizers", [request.summarizer or _GROUPS], config_dir)
    return ConfigDict(values)


def _config_dir(request: RunRequest) -> Path | None:
    folder = Path(request.config_dir or _CONFIG_DIR).expanduser()
    if folder.is_dir():
        return folder
    if request.config_dir:
        raise UserError(Finding(f"there is no folder {folder}", Place(key="--config-dir")))
    return None
