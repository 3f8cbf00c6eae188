"""`compass prepare`: fetches what a configuration needs into a folder, for machines without a network."""

import argparse
import os
import shutil
from collections.abc import Sequence
from pathlib import Path

from flows.output.console import out, say, show_findings
from flows.tools.configs.source_choice import add_source_arguments, read_source
from tasks.data.loading import DatasetCache
from tasks.data.paths import PACKAGED, find_data_path, local_path
from tasks.data.tokenizer_files import fetch_tokenizer
from tasks.spec.build import build_datasets, build_models
from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.names.type_loading import import_type
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import write_json

_TOKENIZER_KEYS = ("tokenizer_path", "path")


def main(argv: Sequence[str]) -> int:
    """Loads every dataset and tokenizer with the folder as its cache; 1 if something could not be had."""
    parser = argparse.ArgumentParser(
        prog="compass prepare", description="Fetches and verifies data and tokenizers of a configuration into a folder."
    )
    add_source_arguments(parser)
    parser.add_argument("--into", required=True, type=Path, metavar="DIR", help="the folder; copy it wherever you like")
    arguments = parser.parse_args(argv)
    into = arguments.into.expanduser().resolve()
    source = read_source(arguments)
    datasets, findings = build_datasets(source.values, source.search_path)
    models, _ = build_models(source.values, source.search_path) if source.values.get("models") else ([], [])
    if any(finding.kind is FindingKind.CONFIG for finding in findings):
        raise UserError(findings)
    into.mkdir(parents=True, exist_ok=True)
    os.environ.setdefault("HF_HOME", str(into / "huggingface"))
    os.environ.setdefault("SACREBLEU", str(into / "sacrebleu"))
    fingerprints, missing = _prepare_data(datasets, into, source.search_path)
    missing += _prepare_tokenizers(models) + _prepare_evaluators(datasets, source.search_path)
    write_json(into / "prepared.json", {"datasets": fingerprints})
    show_findings(missing)
    kept = {"COMPASS_DATA_CACHE": into, "HF_HOME": os.environ["HF_HOME"]}
    if (into / "sacrebleu").is_dir():
        kept["SACREBLEU"] = into / "sacrebleu"
    out.print("\n".join(f"export {name}={value}" for name, value in kept.items()), markup=False)
    say("with these variables set, --offline runs without a network" if not missing else "not everything is there")
    return 1 if missing else 0


def _prepare_data(
    datasets: Sequence[DatasetSpec], into: Path, search_path: tuple[str, ...]
) -> tuple[dict[str, str], list[Finding]]:
    """Fingerprints of what could be loaded, and findings about the rest."""
    cache = DatasetCache(search_path)
    fingerprints: dict[str, str] = {}
    missing: list[Finding] = []
    for dataset in datasets:
        try:
            data = cache.load(dataset)
        except UserError as error:
            missing += error.findings
            continue
        _copy(dataset, into)
        fingerprints[dataset.abbr] = data.fingerprint
        say(f"{dataset.abbr}: {len(data.test)} rows")
    return fingerprints, missing


def _prepare_evaluators(datasets: Sequence[DatasetSpec], search_path: tuple[str, ...]) -> list[Finding]:
    """What evaluators need beside their packages, and say how to fetch."""
    missing: list[Finding] = []
    named = dict.fromkeys(config["type"] for dataset in datasets if (config := dataset.eval_cfg.get("evaluator")))
    for path in named:
        fetch = getattr(import_type(path, search_path), "fetch", None)
        if fetch is None:
            continue
        name = path.rpartition(".")[2]
        try:
            say(f"{name}: {fetch()}")
        except (OSError, ImportError) as error:
            missing.append(Finding(f"{name}: {error}", kind=FindingKind.MACHINE))
    return missing


def _copy(dataset: DatasetSpec, into: Path) -> None:
    """Copies local data that do not lie in the folder yet; what comes from the hub lies in its cache."""
    path = dataset.arguments.get("path")
    if not isinstance(path, str) or path.startswith(PACKAGED) or Path(local_path(path)).is_absolute():
        return
    found, target = find_data_path(path), into / local_path(path)
    if found is None or target.exists():
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    if found.is_dir():
        shutil.copytree(found, target)
    else:
        shutil.copy2(found, target)


def _prepare_tokenizers(models: Sequence[ModelSpec]) -> list[Finding]:
    missing: list[Finding] = []
    for model in models:
        name = next((value for key in _TOKENIZER_KEYS if (value := model.arguments.get(key))), None)
        if not isinstance(name, str) or name.count("/") != 1 or Path(name).exists():
            continue
        try:
            say(f"{model.abbr}: tokenizer {fetch_tokenizer(name)}")
        except UserError as error:
            missing += error.findings
    return missing
