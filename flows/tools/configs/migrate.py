"""`compass migrate`: what will differ when a run folder or a configuration of OpenCompass is used here."""

import argparse
import re
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from flows.output.console import out, show_findings
from tasks.score.files.results import OWN_KEY, read_results
from tasks.spec.config.file import load_config
from tasks.spec.findings import UserError
from tasks.spec.names.type_loading import written_type
from tasks.spec.names.type_table import entry_of
from tasks.spec.run_spec import build_run_spec
from tasks.spec.storage.run_folder import RunFolder, run_names
from tasks.spec.values import ConfigDict

_SHARD = re.compile(r"_\d+$")
_FIRST_BYTES = 1 << 16


def main(argv: Sequence[str]) -> int:
    """Prints one remark per line; 1 if the configuration cannot be used as it is."""
    parser = argparse.ArgumentParser(
        prog="compass migrate", description="Says what will differ when a file or run of OpenCompass is used here."
    )
    parser.add_argument("path", type=Path, help="a configuration file, a run folder, or a folder of runs")
    path = parser.parse_args(argv).path.expanduser()
    if path.is_dir():
        names = run_names(path)
        for folder in [path / name for name in names] or [path]:
            _show(str(folder), folder_remarks(folder))
        return 0
    return _config(path)


def _config(path: Path) -> int:
    config = load_config(path)
    _, findings = build_run_spec(config.values, [str(path.resolve().parent)])
    _show(str(path), config_remarks(config.values))
    show_findings(findings)
    return 1 if findings else 0


def config_remarks(values: ConfigDict) -> list[str]:
    """What of a configuration is taken over, replaced or unknown here."""
    remarks: list[str] = []
    for written in sorted(set(_types(values))):
        entry = entry_of(written)
        if entry is not None and entry.ours != written:
            remarks.append(f"{written} is {entry.ours} here")
        elif entry is None and written.startswith("opencompass."):
            remarks.append(f"{written} is not known here: it needs the package opencompass")
    if "infer" in values or "eval" in values:
        remarks.append("answers are saved one by one: partitioner and number of workers may change before --reuse")
    if any(isinstance(model, ConfigDict) and "retry" in model for model in values.get("models", ())):
        remarks.append("retry counts the attempts after the first; OpenCompass counts all")
    remarks.append("a run ends with exit status 1 if a pair failed; OpenCompass ends with 0")
    remarks.append("-m eval scores again what has a score already")
    return remarks


def folder_remarks(folder: Path) -> list[str]:
    """What the files of a run folder are worth here."""
    return [*_prediction_remarks(folder / "predictions"), *_result_remarks(RunFolder(folder))] or ["no predictions"]


def _prediction_remarks(folder: Path) -> Iterator[str]:
    files = sorted(path for path in folder.glob("*/*.json*") if path.is_file())
    ours = [path for path in files if b'"status":' in _head(path)]
    theirs = [path for path in files if path not in ours]
    whole = [path for path in theirs if not path.name.startswith("tmp_") and not _SHARD.search(path.stem)]
    if ours:
        yield f"{len(ours)} predictions files were written here"
    if whole:
        yield f"{len(whole)} predictions files of OpenCompass: eval and viz take them; infer asks only changed prompts"
    pieces = [path for path in theirs if path not in whole]
    if pieces:
        yield f"{len(pieces)} pieces or checkpoints: --reuse takes their answers over, compass merge joins them"
    if theirs:
        yield "the model settings behind these answers cannot be verified; every adopted sample says so"


def _result_remarks(folder: RunFolder) -> Iterator[str]:
    foreign = 0
    for path in folder.scored():
        try:
            foreign += OWN_KEY not in read_results(path)
        except (OSError, ValueError):
            yield f"{path} cannot be read"
    if foreign:
        yield f"{foreign} results files of OpenCompass are summarised as they are; -m eval scores anew and may differ"


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_FIRST_BYTES)


def _types(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if "type" in value:
            with suppress(UserError):
                yield written_type(value["type"])
        for item in value.values():
            yield from _types(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _types(item)


def _show(what: str, remarks: Sequence[str]) -> None:
    out.print(f"[bold]{what}[/]")
    for remark in remarks:
        out.print(f"  {remark}", markup=False)
