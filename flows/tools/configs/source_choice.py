"""Which configuration a tool is about: a file, or names of models and datasets."""

import argparse
from typing import Any

from tasks.plan.request import RunRequest
from tasks.plan.source.configuration import Source, config_path
from tasks.plan.source.configuration import read_source as read
from tasks.spec.config.file import load_config
from tasks.spec.findings import Finding, UserError
from tasks.spec.values import ConfigDict


def add_source_arguments(parser: argparse.ArgumentParser) -> None:
    """`[CONFIG] [--models …] [--datasets …]`."""
    parser.add_argument("config", nargs="?", help="configuration file")
    parser.add_argument("--models", nargs="+", default=[], metavar="NAME", help="model configs, instead of a file")
    parser.add_argument("--datasets", nargs="+", default=[], metavar="NAME", help="dataset configs, instead of a file")
    parser.add_argument("--config-dir", metavar="DIR", help="searched for names before the packaged configs")
    parser.add_argument(
        "--set", dest="overrides", action="append", default=[], metavar="PATH=VALUE", help="change one value"
    )


def request_of(arguments: argparse.Namespace, **changes: Any) -> RunRequest:
    """The request that these arguments mean."""
    names = ("config", "models", "datasets", "config_dir", "overrides")
    given = {name: getattr(arguments, name) for name in names if getattr(arguments, name)}
    return RunRequest.model_validate(given | changes)


def read_source(arguments: argparse.Namespace) -> Source:
    """The configuration; a file that defines only `…_datasets` variables has these as its datasets."""
    if not (arguments.config or arguments.models or arguments.datasets):
        remedy = "give a configuration file, or --models and --datasets"
        raise UserError(Finding("nothing says what it is about", remedy=remedy))
    source = read(request_of(arguments))
    if arguments.config and not source.values.get("datasets"):
        values = load_config(config_path(arguments.config)).values
        lists = [values[name] for name in values if str(name).endswith("_datasets")]
        datasets = [entry for entries in lists if isinstance(entries, list) for entry in entries]
        unique: list[ConfigDict] = list({id(entry): entry for entry in datasets}.values())
        return Source(source.path, source.values | {"datasets": unique}, source.search_path, source.findings)
    return source
