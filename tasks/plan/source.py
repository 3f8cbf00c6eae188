"""Where the configuration comes from: a file, or names of models and datasets."""

from dataclasses import dataclass
from pathlib import Path

from tasks.plan.request import RunRequest
from tasks.spec.config_file import load_config
from tasks.spec.config_values import ConfigDict
from tasks.spec.findings import Finding
from tasks.spec.lookup import load_named


@dataclass(frozen=True)
class Source:
    """The effective configuration."""

    path: Path | None
    values: ConfigDict
    search_path: tuple[str, ...]
    """Folders that own classes are imported from."""
    findings: tuple[Finding, ...] = ()


def read_source(request: RunRequest) -> Source:
    """Reads the configuration the request names; UserError if it cannot be read."""
    if request.config is not None:
        path = Path(request.config)
        return Source(path, load_config(path).values, (str(path.resolve().parent),))
    config_dir = Path(request.config_dir) if request.config_dir else None
    values = ConfigDict(
        models=load_named("models", request.models, config_dir),
        datasets=load_named("datasets", request.datasets, config_dir),
    )
    if request.summarizer:
        values["summarizer"] = load_named("summarizers", [request.summarizer], config_dir)
    return Source(None, values, (str(Path.cwd()),))
