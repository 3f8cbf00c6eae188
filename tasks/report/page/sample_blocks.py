"""The texts of samples in compressed blocks, which the page decodes when they are looked at."""

import gzip
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import orjson

from tasks.report.page.columns import PairColumns, readable_samples
from tasks.report.page.sample import StoredSample, shown
from tasks.spec.storage.jsonable import jsonable
from tasks.spec.storage.run_folder import RunFolder

BLOCK_SAMPLES = 200
_LEVEL = 6


@dataclass(frozen=True)
class ChosenSamples:
    """The samples of one pair that the page holds."""

    columns: PairColumns
    places: Sequence[int]
    """In the order of the columns."""

    def index(self) -> dict[str, Any]:
        """What the page knows of all its samples before a block is decoded."""
        everything = len(self.places) == len(self.columns)
        return {
            "model": self.columns.pair.model,
            "dataset": self.columns.pair.dataset,
            "repeats": self.columns.repeats,
            "count": len(self.places),
            "total": len(self.columns),
            "places": None if everything else list(self.places),
            **self.columns.codes(self.places),
        }


def choose_samples(pairs: Sequence[PairColumns], most: int | None) -> list[ChosenSamples]:
    """At most so many samples of all pairs: equal shares, and of each pair those that are not right first."""
    shares = _shares([len(columns) for columns in pairs], most)
    return [ChosenSamples(columns, _places(columns, share)) for columns, share in zip(pairs, shares, strict=True)]


def blocks(chosen: ChosenSamples, folder: RunFolder) -> Iterator[bytes]:
    """Gzipped JSON lists of `BLOCK_SAMPLES` samples each; reads the files of the pair once more.

    A run may go on meanwhile: samples that are gone are missing at the end, blocks never are.
    """
    samples = _chosen(chosen, folder)
    for _ in range(0, len(chosen.places), BLOCK_SAMPLES):
        yield _packed([shown(sample) for sample in islice(samples, BLOCK_SAMPLES)])


def all_blocks(samples: Sequence[ChosenSamples], folder: RunFolder) -> Iterator[bytes]:
    """The blocks of all pairs, numbered through as the page does."""
    for chosen in samples:
        yield from blocks(chosen, folder)


def _chosen(chosen: ChosenSamples, folder: RunFolder) -> Iterator[StoredSample]:
    columns, wanted = chosen.columns, iter(chosen.places)
    place_wanted = next(wanted, None)
    for place, sample in enumerate(readable_samples(folder, columns.pair, columns.repeats, columns)):
        if place_wanted is None:
            return
        if place == place_wanted:
            yield sample
            place_wanted = next(wanted, None)


def _packed(block: list[dict[str, Any]]) -> bytes:
    try:
        data = orjson.dumps(block, default=jsonable)
    except TypeError:  # lone surrogates, integers beyond 64 bits
        data = json.dumps(jsonable(block)).encode()
    return gzip.compress(data, _LEVEL, mtime=0)


def _shares(sizes: Sequence[int], most: int | None) -> list[int]:
    """Cuts the largest down to one size until all together fit."""
    if most is None or sum(sizes) <= most:
        return list(sizes)
    left, shares = most, [0] * len(sizes)
    for done, index in enumerate(sorted(range(len(sizes)), key=sizes.__getitem__)):
        shares[index] = min(sizes[index], left // (len(sizes) - done))
        left -= shares[index]
    return shares


def _places(columns: PairColumns, share: int) -> Sequence[int]:
    if share == len(columns):
        return range(share)
    first = [place for place, code in enumerate(columns.verdicts) if code != ord("r")]
    rest = [place for place, code in enumerate(columns.verdicts) if code == ord("r")]
    return sorted([*first, *rest][:share])
