"""A station in a folder, laid out as OpenCompass does: `<station>/<dataset>/<model>.json`.

A file holds `predictions` (a list), `results` (the results file) and `cfg`; what we add stands under `compass`, first.
"""

import fcntl
import json
import os
from collections.abc import Callable, Collection, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any, BinaryIO, cast

import orjson
from pydantic import BaseModel, ValidationError

from blocks.station.entry import (
    Header,
    Identity,
    Saved,
    StationError,
    StationResult,
    differences,
    replaces,
)
from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.storage.json_stream import json_events, json_items
from tasks.spec.storage.jsonable import jsonable
from tasks.spec.storage.run_folder import Pair, replacing, safe_name

_OWN = "compass"


class _RunName(BaseModel):
    name: str


class _Head(BaseModel):
    """What tells a result in a file of ours."""

    pair: Pair
    identity: Identity
    run: _RunName
    mode: str
    version: str
    score_key: str
    scored_at: str
    samples: int
    errors: int
    metrics: dict[str, float | None]
    stderr: dict[str, float | None]


class FolderStation:
    """The results in one folder: of each model and dataset one."""

    def __init__(self, root: Path) -> None:
        self._root = root

    @property
    def name(self) -> str:
        return str(self._root)

    def findings(self) -> list[Finding]:
        """A place where nothing can be written."""
        there = next(path for path in (self._root, *self._root.absolute().parents) if path.exists())
        if there.is_dir() and os.access(there, os.W_OK | os.X_OK):
            return []
        what = "nothing can be written to it" if there.is_dir() else f"{there} is a file"
        return [Finding(f"the station {self._root}: {what}", kind=FindingKind.MACHINE)]

    def upgrade(self) -> tuple[str | None, str]:
        raise UserError(f"the station {self._root} is a folder: it has no tables")

    def headers(self, pairs: Collection[Pair]) -> list[Header]:
        found = ((pair, self._path(pair)) for pair in pairs)
        return [self._header(pair, path) for pair, path in found if path.is_file()]

    def load(self, pair: Pair, identity: Identity | None) -> dict[str, Any]:
        path = self._path(pair)
        with _readable(path), path.open("rb") as file:
            results: Any = next(json_items(file, "results"), None)
        if not isinstance(results, dict) or (identity and self._header(pair, path).identity != identity):
            raise StationError(f"{path} no longer has the result")
        whole = cast(dict[str, Any], results)
        head = _head(path)
        for name, value in head.metrics.items() if head else ():
            if whole.get(name, value) != value:
                raise StationError(f"{path} was changed: its {name} is {whole[name]!r}, and {value!r} was saved")
        return {key: value for key, value in whole.items() if key != "details" or value}

    def save(
        self, results: Iterable[StationResult], note: Callable[[Saved], None], *, overwrite: bool, samples: bool
    ) -> None:
        """The samples are always there: OpenCompass's layout has them."""
        for result in results:
            path = self._path(result.pair)
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                with _alone(path.parent):
                    note(self._save(path, result, overwrite=overwrite))
            except (OSError, ValueError, StationError) as error:
                note(Saved(result.pair, "failed", str(error)))

    def table(self) -> list[dict[str, Any]]:
        """Every score with what it is of, the newest result first; without those that OpenCompass wrote."""
        heads = [_head(path) for path in sorted(self._root.glob("*/*.json"))]
        rows = [row for head in heads if head for row in _rows(head)]
        return sorted(rows, key=lambda row: row["scored_at"], reverse=True)

    def _path(self, pair: Pair) -> Path:
        return self._root / safe_name(pair.dataset) / f"{safe_name(pair.model)}.json"

    def _save(self, path: Path, result: StationResult, *, overwrite: bool) -> Saved:
        fate = "saved"
        if path.exists():
            if kept := self._kept(path, result, overwrite=overwrite):
                return kept
            fate = "replaced"
        _replace(path, lambda file: _write(file, _own(result), result.config, result.predictions(), result))
        for folder, judged in result.judged.items():
            _replace(path.with_name(f"{folder}.json"), lambda file, judged=judged: _write_judged(file, judged, result))
        return Saved(result.pair, fate)

    def _kept(self, path: Path, result: StationResult, *, overwrite: bool) -> Saved | None:
        """Why the file that is there stays; None if it is replaced, as one that cannot be read is only on demand."""
        try:
            head, kept = _head(path), self._header(result.pair, path)
        except StationError:
            if not overwrite:
                raise
            return None
        if head and head.score_key == result.score_key and kept.identity == result.identity:
            return Saved(result.pair, "same")
        other = differences(result.identity, kept.identity) if kept.identity else ["OpenCompass wrote it"]
        if overwrite or (not other and replaces(overwrite=False, errors=result.errors, kept_errors=kept.errors)):
            return None
        note = f"it has a result of another configuration: {', '.join(other)}" if other else ""
        return Saved(result.pair, "kept", note or "it has a result of another run")

    def _header(self, pair: Pair, path: Path) -> Header:
        head = _head(path)
        if head is not None:
            return Header(pair, head.identity, head.run.name, head.scored_at, head.samples, head.errors)
        with _readable(path), path.open("rb") as file, path.open("rb") as again:
            config = next(json_items(file, "cfg"), None)
            count = sum(1 for _ in json_items(again, "predictions.item"))
            return Header(pair, None, samples=count, config=config)


@contextmanager
def _readable(path: Path) -> Generator[None]:
    """StationError naming the file for whatever in it cannot be read."""
    try:
        yield
    except (OSError, ValueError) as error:
        first = error.errors()[0] if isinstance(error, ValidationError) else None
        reason = f"{_OWN}.{'.'.join(map(str, first['loc']))}: {first['msg']}" if first else str(error).strip()
        raise StationError(f"{path} cannot be read: {reason}") from error


def _head(path: Path) -> _Head | None:
    """What we wrote first; None for a file of OpenCompass."""
    with _readable(path), path.open("rb") as file, path.open("rb") as again:
        first = [event for event, _ in zip(json_events(file), range(2), strict=False)]
        if first != [("start_map", None), ("map_key", _OWN)]:
            return None
        return _Head.model_validate(next(json_items(again, _OWN)))


def _own(result: StationResult) -> dict[str, Any]:
    return {
        "pair": list(result.pair),
        "identity": asdict(result.identity),
        "score_key": result.score_key,
        "run": asdict(result.run),
        "mode": result.mode,
        "version": result.version,
        "scored_at": result.scored_at,
        "samples": result.samples,
        "errors": result.errors,
        "metrics": dict(result.metrics),
        "stderr": dict(result.stderr),
    }


def _rows(head: _Head) -> Iterator[dict[str, Any]]:
    plain = head.model_dump(include={"mode", "version", "score_key", "scored_at", "samples", "errors"})
    of_pair = {**head.pair._asdict(), **asdict(head.identity), **plain, "run": head.run.name}
    for position, (metric, value) in enumerate(head.metrics.items()):
        yield {**of_pair, "metric": metric, "value": value, "stderr": head.stderr.get(metric), "position": position}


def _write(file: BinaryIO, own: dict[str, Any], config: Any, predictions: Iterator[Any], result: StationResult) -> None:
    """Record by record: memory does not grow with the samples."""
    file.write(b'{"compass": ' + _json(own) + b',\n"cfg": ' + _json(dict(config)) + b',\n"predictions": [')
    _write_all(file, predictions)
    head = ",\n".join(f"{json.dumps(key)}: {_json(value).decode()}" for key, value in result.results.items())
    file.write(b'],\n"results": {' + head.encode() + (b"," if head else b"") + b'\n"details": [')
    _write_all(file, result.details())
    file.write(b"]}}\n")


def _write_judged(file: BinaryIO, judged: Path, result: StationResult) -> None:
    """What OpenCompass looks for: the file of one judge where the results are expected."""
    file.write(b'{"predictions": [')
    _write_all(file, result.predictions())
    file.write(b'],\n"results": ' + judged.read_bytes() + b',\n"cfg": ' + _json(dict(result.config)) + b"}\n")


def _write_all(file: BinaryIO, records: Iterator[Any]) -> None:
    file.writelines((b"," if number else b"") + b"\n" + _json(record) for number, record in enumerate(records))


def _json(value: Any) -> bytes:
    try:
        return orjson.dumps(value, default=jsonable, option=orjson.OPT_NON_STR_KEYS)
    except TypeError:  # lone surrogates, integers beyond 64 bits
        return json.dumps(jsonable(value)).encode()


def _replace(path: Path, write: Callable[[BinaryIO], None]) -> None:
    """Readers see the old file or the whole new one."""
    with replacing(path) as temporary, temporary.open("wb", buffering=1 << 20) as file:
        write(file)


@contextmanager
def _alone(folder: Path) -> Generator[None]:
    """One writer of a dataset at a time, as far as the file system knows locks."""
    with (folder / ".lock").open("ab") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
