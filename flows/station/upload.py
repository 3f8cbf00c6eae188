"""Saves the results of a run to the station."""

import glob
import logging
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from blocks.station.entry import Saved, Station, StationError, StationResult, StationRun
from flows.station.download import STATION_KEY
from flows.station.identity import identity_of
from flows.station.matching import extracts
from flows.station.upload_outcome import KeptResults
from tasks.plan.run_plan import PairPlan, RunPlan
from tasks.report.result_metrics import numeric_metrics
from tasks.report.summary.scores import mode_of
from tasks.score.files.predictions import read_predictions
from tasks.score.files.results import OWN_KEY, read_results
from tasks.score.files.stored_details import read_details
from tasks.score.score_error import ScoreError
from tasks.score.score_key import is_scored
from tasks.spec.build import dataset_abbr, model_abbr
from tasks.spec.identity import model_identity, recipe_identity
from tasks.spec.prompt_hash import in_their_words
from tasks.spec.secrets.redaction import redact
from tasks.spec.secrets.scrubber import SecretScrubber
from tasks.spec.storage.jsonable import jsonable
from tasks.spec.storage.run_folder import Pair, RunFolder, safe_name

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class FinishedRun:
    """A run whose results are saved."""

    plan: RunPlan
    folder: RunFolder
    failures: Collection[Pair]
    """Pairs without a score."""
    asked: Mapping[str, Any]
    """What `run.json` says of the newest invocation that could ask models."""


def keep_results(run: FinishedRun) -> KeptResults:
    """Saves every result of the run that is current; never raises for what the station lacks."""
    scrub = SecretScrubber.of_configuration(run.plan.values).scrub
    station: Station = run.plan.station
    kept = KeptResults(station.name)

    def note(saved: Saved) -> None:
        kept.fates[saved.fate] += 1
        kept.notes[saved.pair] = saved.note

    request = run.plan.request
    try:
        station.save(
            _Results(run, kept).all(), note, overwrite=request.station_overwrite, samples=request.station_samples
        )
    except StationError as error:
        kept.error = scrub(str(error))
        _log.error("%s", kept.error)
    return kept


class _Results:
    """The results of a run as the station wants them."""

    def __init__(self, run: FinishedRun, kept: KeptResults) -> None:
        self._run, self._kept = run, kept
        self._asked = run.asked
        self._configs = _configs(run)

    def all(self) -> Iterator[StationResult]:
        """One after the other; those that are not current are noted instead."""
        for pair in self._run.plan.pairs:
            if pair.pair in self._run.plan.taken or pair.pair in self._run.failures:
                continue
            if not self._run.folder.results(pair.pair).is_file():
                continue
            result = self._result(pair)
            if isinstance(result, StationResult):
                yield result
            elif result:
                self._kept.notes[pair.pair] = result

    def _result(self, pair: PairPlan) -> StationResult | str:
        """The result, or why it is not saved."""
        path = self._run.folder.results(pair.pair)
        try:
            results = read_results(path)
        except (OSError, ValueError) as error:
            return f"not saved: its results file cannot be read: {error}"
        own = results.get(OWN_KEY)
        if not isinstance(own, dict):
            return "not saved: another program scored it, so it is not known what it is of"
        if STATION_KEY in own:
            return ""
        data = self._asked.get("data", {}).get(pair.dataset.abbr)
        changed = self._changed(pair)
        if data is None or changed or not is_scored(pair.model, pair.dataset, self._run.folder):
            return f"not saved: {changed or 'it is not the score of these answers in this configuration'}"
        limit = self._asked.get("request", {}).get("limit")
        identity = identity_of(pair.model, pair.dataset, data=data, limit=limit, extract_rate=extracts(self._run.plan))
        samples: Mapping[str, Any] = own.get("samples") or {}
        assert identity is not None  # it is scored
        return StationResult(
            pair=pair.pair,
            identity=identity,
            run=self._station_run(),
            mode=mode_of(pair.dataset),
            version=pair.dataset.version,
            score_key=str(own.get("score_key")),
            scored_at=datetime.fromtimestamp(path.stat().st_mtime, UTC).isoformat(timespec="seconds"),
            samples=int(samples.get("n", 0)),
            errors=int(samples.get("errors", 0)) + int(samples.get("no_verdict", 0)),
            metrics=numeric_metrics(results),
            stderr=own.get("stderr") or {},
            results=jsonable(results),
            config={key: self._configs[key].get(abbr, {}) for key, abbr in zip(self._configs, pair.pair, strict=True)},
            predictions=lambda: _read(lambda: read_predictions(self._run.folder, pair.pair)),
            details=lambda: read_details(path),
            judged=_judged(self._run, pair),
        )

    def _changed(self, pair: PairPlan) -> str:
        """What is not as it was when the answers were given."""
        if self._asked.get("models", {}).get(pair.model.abbr) != model_identity(pair.model):
            return "the model's settings have changed since it was asked"
        if self._asked.get("recipes", {}).get(pair.dataset.abbr) != recipe_identity(pair.dataset):
            return "prompts or inferencer have changed since it was asked"
        return ""

    def _station_run(self) -> StationRun:
        record = self._asked
        return StationRun(
            name=self._run.folder.name,
            folder=str(self._run.folder.root.absolute()),
            host=str(record.get("host", "")),
            started=str(record.get("started", "")),
            versions=record.get("versions", {}),
        )


def _configs(run: FinishedRun) -> dict[str, dict[str, Any]]:
    """The configurations of models and datasets by abbreviation, without secrets."""
    values = redact(run.plan.values)
    return {
        "models": {str(model_abbr(entry)): _plain(entry) for entry in values.get("models", ())},
        "datasets": {str(dataset_abbr(entry)): _plain(entry) for entry in values.get("datasets", ())},
    }


def _plain(entry: Any) -> dict[str, Any]:
    return jsonable(in_their_words(entry))


def _read(records: Any) -> Iterator[Any]:
    try:
        yield from records()
    except ScoreError as error:
        raise ValueError(str(error)) from error


def _judged(run: FinishedRun, pair: PairPlan) -> dict[str, Path]:
    """What each judge said of the model, by itself or next to another."""
    found: dict[str, Path] = {}
    name = glob.escape(safe_name(pair.dataset.abbr))
    for path in sorted((run.folder.root / "results").glob(f"*_judged-by--*/{name}.json")):
        subject = path.parent.name.partition("_judged-by--")[0]
        if subject == safe_name(pair.model.abbr) or subject.endswith(f"_{safe_name(pair.model.abbr)}"):
            found[path.parent.name] = path
    return found
