"""Results to put into a station."""

from collections.abc import Mapping
from typing import Any

from blocks.station.entry import Identity, Saved, Station, StationResult, StationRun
from tasks.spec.storage.canonical import digest
from tasks.spec.storage.run_folder import Pair


def identity(**parts: str) -> Identity:
    """Of digests of these words, all of them `same` unless something else is given."""
    names = ("model_identity", "recipe", "data", "scoring")
    digests = {name: digest(parts.get(name, "same")) for name in names}
    return Identity(**digests, selection=parts.get("selection", "all"))


def result(
    model: str = "adder",
    dataset: str = "sums",
    *,
    run: str = "20260101_000000",
    accuracy: float = 90.0,
    errors: int = 0,
    samples: int = 4,
    results: Mapping[str, Any] | None = None,
    **parts: str,
) -> StationResult:
    """One result with its samples; what is scored alike in one run has one score key."""
    content = {"accuracy": accuracy, "compass": {"samples": {"n": samples}}} if results is None else results
    return StationResult(
        pair=Pair(model, dataset),
        identity=identity(**parts),
        run=StationRun(run, f"/runs/{run}", "here", run, {"python": "3"}),
        mode="gen",
        version="abc123",
        score_key=digest([model, dataset, run, accuracy]),
        scored_at=f"{run[:4]}-{run[4:6]}-{run[6:8]}T00:00:00+00:00",
        samples=samples,
        errors=errors,
        metrics={"accuracy": accuracy, "other": 1.0},
        stderr={"accuracy": 0.5},
        results=content,
        config={"models": {"abbr": model}, "datasets": {"abbr": dataset}},
        predictions=lambda: iter([{"prediction": f"{number} \0 \ud800"} for number in range(samples)]),
        details=lambda: iter([{"pred": str(number), "correct": True} for number in range(samples)]),
        judged={},
    )


def save(station: Station, *results: StationResult, overwrite: bool = False, samples: bool = False) -> list[Saved]:
    """What became of each."""
    fates: list[Saved] = []
    station.save(results, fates.append, overwrite=overwrite, samples=samples)
    return fates
