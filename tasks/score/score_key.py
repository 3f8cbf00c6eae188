"""What a score depends on, as one key."""

import hashlib
import importlib.util
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from tasks.score.files.predictions import prediction_files
from tasks.score.files.results import stored_score_key
from tasks.score.score_error import ScoreError
from tasks.score.subjective.given_answers import given_file
from tasks.spec.findings import UserError
from tasks.spec.identity import model_identity
from tasks.spec.judge_specs import judge_spec
from tasks.spec.names.key_names import with_key_names
from tasks.spec.secrets.names import is_secret_name
from tasks.spec.specs import DatasetSpec, ModelSpec, Opponent, SubjectiveSpec
from tasks.spec.storage.canonical import digest
from tasks.spec.storage.jsonable import jsonable
from tasks.spec.storage.run_folder import Pair, RunFolder, read_json

SCORERS_VERSION = 4
"""Raised whenever a post-processor, an evaluator or the scoring itself gives other results: older scores are void."""


def score_key(model: ModelSpec, dataset: DatasetSpec, folder: RunFolder) -> str:
    """Digest of predictions, the scoring's configuration, judges, data, the scorers' version, own classes' source.

    ScoreError if there are no predictions.
    """
    pair = Pair(model.abbr, dataset.abbr)
    return digest(
        {
            **_way_of_scoring(model, dataset),
            "predictions": [_content(path) for path in prediction_files(folder, pair)],
            "data": _data_fingerprint(folder, dataset.abbr),
            **({"subjective": _contest(dataset.subjective, dataset.abbr, folder)} if dataset.subjective else {}),
        }
    )


def scoring_identity(model: ModelSpec, dataset: DatasetSpec, *, extract_rate: bool) -> str:
    """Digest of what the score depends on beside the data and the model's answers; known before anything is asked.

    Models that this one is compared with count by their settings. ScoreError where the environment does not say who
    judges.
    """
    spec = dataset.subjective
    opponents = {each.abbr: _settings_of(each, dataset.abbr) for each in spec.opponents} if spec else {}
    contest = {"subjective": {**_judging(spec), "opponents": opponents}} if spec else {}
    return digest({**_way_of_scoring(model, dataset), **contest, "extract_rate": extract_rate})


def _way_of_scoring(model: ModelSpec, dataset: DatasetSpec) -> dict[str, Any]:
    eval_cfg = _with_judges(jsonable(_own_judges(dataset)))
    configs = [_without_secrets(config) for config in (jsonable(model.pred_postprocessor), eval_cfg)]
    return {
        "version": SCORERS_VERSION,
        "configs": with_key_names(configs),
        "roles": jsonable(model.meta_template) if dataset.eval_cfg.get("pred_role") else None,
        "output_column": dataset.reader.output_column,
        "repeats": [dataset.n, *dataset.k],
        "sources": {module: _source(module) for module in sorted(set(_own_modules(configs)))},
    }


def is_scored(model: ModelSpec, dataset: DatasetSpec, folder: RunFolder) -> bool:
    """Whether the pair's results file is of exactly these predictions and this way of scoring, with all verdicts."""
    stored = stored_score_key(folder.results(Pair(model.abbr, dataset.abbr)))
    try:
        return stored is not None and stored == score_key(model, dataset, folder)
    except ScoreError:
        return False


def _own_judges(dataset: DatasetSpec) -> dict[str, Any]:
    """The `eval_cfg` without the evaluator's judge where others come before it."""
    evaluator = dataset.eval_cfg.get("evaluator")
    if not (dataset.subjective and dataset.subjective.judges and isinstance(evaluator, Mapping)):
        return dataset.eval_cfg
    return {**dataset.eval_cfg, "evaluator": {key: evaluator[key] for key in evaluator if key != "judge_cfg"}}


def _with_judges(config: Any) -> Any:
    """The configuration with each judge told by its identity: another key, address or rate is the same judge."""
    if isinstance(config, list):
        return [_with_judges(item) for item in config]
    if not isinstance(config, Mapping):
        return config
    return {name: _judge(item) if name == "judge_cfg" else _with_judges(item) for name, item in config.items()}


def _contest(spec: SubjectiveSpec, dataset: str, folder: RunFolder) -> dict[str, Any]:
    """Who judges, and the answers that the model's are compared with."""
    return {
        **_judging(spec),
        "opponents": {opponent.abbr: _answers_of(opponent, dataset, folder) for opponent in spec.opponents},
    }


def _judging(spec: SubjectiveSpec) -> dict[str, Any]:
    return {
        "order": [spec.mode, spec.infer_order],
        "judges": [_judge(config) for config in (*spec.judges, spec.meta_judge) if config],
    }


def _settings_of(opponent: Opponent, dataset: str) -> str | None:
    """Identity of the opponent, or digest of the file with its answers."""
    if opponent.given:
        return _content(given_file(opponent.given, dataset))
    return model_identity(opponent.model) if opponent.model else None


def _answers_of(opponent: Opponent, dataset: str, folder: RunFolder) -> list[str] | None:
    """Digests of the opponent's files; None where it has none, which the scoring will tell."""
    try:
        own = [given_file(opponent.given, dataset)] if opponent.given else None
        return [_content(path) for path in own or prediction_files(folder, Pair(opponent.abbr, dataset))]
    except ScoreError:
        return None


def _judge(config: Any) -> list[Any]:
    """Identity and post-processor; ScoreError where the environment does not say who judges."""
    if isinstance(config, list):
        return [_judge(item) for item in config or [None]]
    try:
        judge = judge_spec(config)
    except UserError as error:
        raise ScoreError(str(error)) from error
    return [judge.abbr, model_identity(judge), with_key_names(jsonable(judge.pred_postprocessor))]


def _content(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _data_fingerprint(folder: RunFolder, abbr: str) -> str | None:
    """Of the references: as the newest invocation that planned the dataset found them."""
    try:
        stat = folder.run_file.stat()
        return _data_fingerprints(folder.run_file, stat.st_mtime_ns, stat.st_size).get(abbr)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


@lru_cache(maxsize=4)
def _data_fingerprints(run_file: Path, _modified_ns: int, _size: int) -> dict[str, str]:
    """Of all datasets, read once for all pairs: a run may have thousands of either."""
    known: dict[str, str] = {}
    for entry in read_json(run_file)["invocations"]:
        known.update(entry.get("data", {}))
    return known


def _own_modules(config: Any) -> Iterator[str]:
    """Modules of the user's that a configuration names types from."""
    if isinstance(config, Mapping):
        written = config.get("type")
        for path in (written, config.get("sample_score_fn")):
            if isinstance(path, str) and "." in path and not path.startswith("tasks."):
                yield path.rpartition(".")[0]
        for value in config.values():
            yield from _own_modules(value)
    elif isinstance(config, list | tuple):
        for value in config:
            yield from _own_modules(value)


def _source(module: str) -> str | None:
    """Digest of the module's file; None if it is not to be found."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file is None:
        try:
            found = importlib.util.find_spec(module)
        except (ImportError, ValueError):
            found = None
        file = found.origin if found else None
    return _content(Path(file)) if file and Path(file).is_file() else None


def _without_secrets(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {name: _without_secrets(item) for name, item in value.items() if not is_secret_name(str(name))}
    return [_without_secrets(item) for item in value] if isinstance(value, list) else value
