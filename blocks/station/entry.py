"""What a results station keeps: one result for each way in which a question was put and scored."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from itertools import zip_longest
from pathlib import Path
from typing import Any, Literal, NamedTuple, Protocol

from tasks.spec.findings import Finding
from tasks.spec.storage.canonical import digest
from tasks.spec.storage.run_folder import Pair

IDENTITY_SCHEMA = 1
"""Raised whenever a part of an identity is worded differently, which makes older results unknown."""


@dataclass(frozen=True)
class Identity:
    """What a score depends on, apart from chance, part by part; digests of 64 hex digits."""

    model_identity: str
    recipe: str
    """How rows become requests: loader, reader, prompts, inferencer, repeats."""
    data: str
    """Fingerprint of the dataset's content."""
    scoring: str
    """Post-processors, evaluator, judges, opponents, version of the scorers."""
    selection: str
    """Which rows beyond what the recipe says: `all`, or `limit 8`."""


_DIFFERENT = {
    "model_identity": "the model's settings are others",
    "recipe": "prompts or inferencer are others",
    "data": "the data are others",
    "scoring": "it was scored in another way",
    "selection": "other rows were asked",
}


def differences(wanted: Identity, found: Identity) -> list[str]:
    """A phrase for each part that is not the same; none if the two are of one configuration."""
    names = [field.name for field in fields(Identity)]
    return [_DIFFERENT[name] for name in names if getattr(wanted, name) != getattr(found, name)]


def result_key(pair: Pair, identity: Identity) -> str:
    """Key of the one result that a station keeps of this configuration, under these names."""
    parts = [getattr(identity, field.name) for field in fields(Identity)]
    return digest(["result", IDENTITY_SCHEMA, *pair, *parts])


class Sample(NamedTuple):
    """Records of the same number in the predictions file and among the details of the results file."""

    prediction: Any
    detail: Any


@dataclass(frozen=True)
class StationRun:
    """The run that a result comes from."""

    name: str
    folder: str
    host: str
    started: str
    versions: Mapping[str, str]

    @property
    def key(self) -> str:
        """The same for every upload of one run."""
        return digest(["run", self.host, self.folder, self.started])


@dataclass(frozen=True)
class StationResult:
    """One result as it is handed to a station."""

    pair: Pair
    identity: Identity
    run: StationRun
    mode: str
    """How the model is asked: `gen`, `ppl`, …"""
    version: str
    """The prompt hash that summaries show."""
    score_key: str
    scored_at: str
    """When, in UTC: `2026-11-29T12:00:00+00:00`."""
    samples: int
    errors: int
    """Samples without an answer or a verdict."""
    metrics: Mapping[str, float]
    stderr: Mapping[str, float]
    results: Mapping[str, Any]
    """The results file without details."""
    config: Mapping[str, Any]
    """`models`, `datasets`, perhaps `judge_models`: their configurations without secrets."""
    predictions: Callable[[], Iterator[Any]]
    """The records of the predictions file."""
    details: Callable[[], Iterator[Any]]
    """Those of the results file."""
    judged: Mapping[str, Path]
    """Files of what judges said, by the name of their folder: `<model>_judged-by--<judge>`."""

    @property
    def key(self) -> str:
        return result_key(self.pair, self.identity)

    def all_samples(self) -> Iterator[Sample]:
        """Predictions beside details; None where one of the files holds less."""
        for prediction, detail in zip_longest(self.predictions(), self.details()):
            yield Sample(prediction, detail)


@dataclass(frozen=True)
class Header:
    """What a station tells of a result without reading all of it."""

    pair: Pair
    identity: Identity | None
    """None: written by OpenCompass, which does not say."""
    run: str = ""
    scored_at: str = ""
    samples: int = 0
    errors: int = 0
    config: Mapping[str, Any] | None = None
    """Where the identity is missing: the configurations of model and dataset."""


Fate = Literal["saved", "replaced", "same", "kept", "failed"]
"""`same`: the station had this very result; `kept`: it has another one, which was not to be overwritten."""


class Saved(NamedTuple):
    """What became of one result."""

    pair: Pair
    fate: Fate
    note: str = ""
    """Of a result that was kept, what is different; of one that failed, why."""


class StationError(Exception):
    """The station cannot be used; the text says why, without secrets."""


class Station(Protocol):
    """Where results are kept for all runs."""

    @property
    def name(self) -> str:
        """Where it is, without secrets."""
        ...

    def findings(self) -> list[Finding]:
        """What stands in the way of using it."""
        ...

    def upgrade(self) -> tuple[str | None, str]:
        """Brings its tables to the newest version; that of before, None if there were none, and that of now."""
        ...

    def headers(self, pairs: Collection[Pair]) -> list[Header]:
        """What it has of these pairs, in any configuration; StationError if it cannot be read."""
        ...

    def load(self, pair: Pair, identity: Identity | None) -> dict[str, Any]:
        """The results file of one result, with details if it has them; StationError if it is gone."""
        ...

    def save(
        self, results: Iterable[StationResult], note: Callable[[Saved], None], *, overwrite: bool, samples: bool
    ) -> None:
        """Keeps the results one after the other and notes what became of each; StationError if it is gone."""
        ...

    def table(self) -> list[dict[str, Any]]:
        """A row for every metric with what it is of, the newest result first; metrics of a result in their order."""
        ...


def replaces(*, overwrite: bool, errors: int, kept_errors: int) -> bool:
    """Whether a result takes the place of another one of the same configuration."""
    return overwrite or errors < kept_errors
