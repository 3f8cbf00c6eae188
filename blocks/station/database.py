"""A station in a database: SQLite or PostgreSQL, for many writers at once."""

import math
import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import fields
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, Table, delete, insert, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import make_url
from sqlalchemy.exc import DBAPIError

from blocks.station.address import driver_url, shown
from blocks.station.connection import on_database, reason_of, require_tables, revision_of, upgrade
from blocks.station.entry import (
    Header,
    Identity,
    Saved,
    StationError,
    StationResult,
    StationRun,
    replaces,
    result_key,
)
from blocks.station.schema import PAIRS, RUNS, SAMPLES, SCORES
from tasks.spec.findings import Finding, FindingKind
from tasks.spec.storage.run_folder import Pair

_PARTS = [field.name for field in fields(Identity)]
_BATCH = 500
_DRIVERS = {"sqlite": "aiosqlite", "postgresql": "asyncpg"}


class DatabaseStation:
    """The results in one database."""

    def __init__(self, address: str) -> None:
        self._address = address

    @property
    def name(self) -> str:
        return shown(self._address)

    def findings(self) -> list[Finding]:
        """Packages that are missing; a database that does not answer, or whose tables are of another version."""
        url = make_url(driver_url(self._address))
        needed = (_DRIVERS[url.get_backend_name()], "alembic")
        missing = [name for name in needed if find_spec(name) is None]
        if missing:
            remedy = "pip install 'compass-llm-eval[station]'"
            return [_machine(f"the station {self.name} needs {name}", remedy) for name in missing]
        if url.get_backend_name() == "sqlite" and url.database and not Path(url.database).exists():
            folder = Path(url.database).absolute().parent
            writable = folder.is_dir() and os.access(folder, os.W_OK | os.X_OK)
            return (
                [] if writable else [_machine(f"the station {self.name} is in a folder that nothing can be written to")]
            )
        try:
            on_database(self._address, lambda connection: require_tables(connection, self._address), write=False)
        except StationError as error:
            return [_machine(str(error), "correct --station-path, or leave it out and save later: -m viz -r RUN -sp …")]
        return []

    def upgrade(self) -> tuple[str | None, str]:
        return on_database(self._address, upgrade, write=True)

    def headers(self, pairs: Collection[Pair]) -> list[Header]:
        return on_database(self._address, lambda connection: self._headers(connection, pairs), write=False)

    def load(self, pair: Pair, identity: Identity | None) -> dict[str, Any]:
        return on_database(self._address, lambda connection: self._load(connection, pair, identity), write=False)

    def save(
        self, results: Iterable[StationResult], note: Callable[[Saved], None], *, overwrite: bool, samples: bool
    ) -> None:
        """All in one connection, each result in a transaction of its own."""

        def work(connection: Connection) -> None:
            _prepare(connection, self._address)
            for result in results:
                try:
                    with connection.begin():
                        saved = _save(connection, result, overwrite=overwrite, samples=samples)
                except (DBAPIError, OSError, ValueError) as error:
                    if connection.invalidated:
                        raise
                    saved = Saved(result.pair, "failed", reason_of(self._address, error))
                note(saved)

        on_database(self._address, work, write=True)

    def table(self) -> list[dict[str, Any]]:
        """Every score with what it is of, the newest result first; metrics of a pair in their order."""
        columns = [column for column in PAIRS.c if column.name not in ("results", "config")]
        statement = (
            select(
                *columns, SCORES.c.metric, SCORES.c.value, SCORES.c.stderr, SCORES.c.position, RUNS.c.name.label("run")
            )
            .join(SCORES, SCORES.c.pair_id == PAIRS.c.id)
            .join(RUNS, RUNS.c.id == PAIRS.c.run_id)
            .order_by(PAIRS.c.scored_at.desc(), PAIRS.c.id, SCORES.c.position)
        )
        return on_database(self._address, lambda connection: self._table(connection, statement), write=False)

    def _table(self, connection: Connection, statement: Any) -> list[dict[str, Any]]:
        if not self._has_tables(connection):
            return []
        return [dict(row) for row in connection.execute(statement).mappings()]

    def _has_tables(self, connection: Connection) -> bool:
        require_tables(connection, self._address)
        return revision_of(connection) is not None

    def _headers(self, connection: Connection, pairs: Collection[Pair]) -> list[Header]:
        if not self._has_tables(connection):
            return []
        wanted = frozenset(pairs)
        columns = [PAIRS.c[name] for name in ("model", "dataset", *_PARTS, "scored_at", "samples", "errors")]
        statement = (
            select(*columns, RUNS.c.name)
            .join(RUNS, RUNS.c.id == PAIRS.c.run_id)
            .where(PAIRS.c.model.in_(sorted({pair.model for pair in wanted})))
            .order_by(PAIRS.c.id)
        )
        rows = connection.execute(statement).all()
        return [_header(row) for row in rows if Pair(row.model, row.dataset) in wanted]

    def _load(self, connection: Connection, pair: Pair, identity: Identity | None) -> dict[str, Any]:
        key = result_key(pair, identity) if identity else ""
        row = connection.execute(select(PAIRS.c.id, PAIRS.c.results).where(PAIRS.c.key == key)).first()
        if row is None:
            raise StationError(f"the station {self.name} no longer has the result of {pair.model}/{pair.dataset}")
        statement = select(SAMPLES.c.detail).where(SAMPLES.c.pair_id == row.id).order_by(SAMPLES.c.number)
        details = [detail for detail in connection.execute(statement).scalars() if detail is not None]
        return {**row.results, "details": details} if details else dict(row.results)


def _prepare(connection: Connection, address: str) -> None:
    """Makes the tables of an empty database; older ones are changed only by who asks for it, since others use them."""
    with connection.begin():
        require_tables(connection, address)
        empty = revision_of(connection) is None
    if empty:
        upgrade(connection)


def _run_id(connection: Connection, run: StationRun) -> int:
    values = {
        "key": run.key,
        "name": _plain(run.name),
        "folder": _plain(run.folder),
        "host": run.host,
        "started": run.started,
        "versions": dict(run.versions),
    }
    _insert_new(connection, RUNS, values)
    return connection.execute(select(RUNS.c.id).where(RUNS.c.key == run.key)).scalar_one()


def _save(connection: Connection, result: StationResult, *, overwrite: bool, samples: bool) -> Saved:
    """Whoever inserts the key first has the row; all others wait for that transaction, and see what it wrote."""
    run_id = _run_id(connection, result.run)
    if _insert_new(connection, PAIRS, _pair_values(result, run_id)):
        pair_id = connection.execute(select(PAIRS.c.id).where(PAIRS.c.key == result.key)).scalar_one()
        _insert_parts(connection, pair_id, result, samples=samples)
        return Saved(result.pair, "saved")
    kept = connection.execute(select(PAIRS).where(PAIRS.c.key == result.key).with_for_update()).one()
    if kept.score_key == result.score_key and not (samples and not _has_samples(connection, kept.id)):
        return Saved(result.pair, "same")
    same_score = kept.score_key == result.score_key
    if not (same_score or replaces(overwrite=overwrite, errors=result.errors, kept_errors=kept.errors)):
        return Saved(result.pair, "kept", "it has a result of another run")
    connection.execute(update(PAIRS).where(PAIRS.c.id == kept.id).values(_pair_values(result, run_id)))
    for table in (SCORES, SAMPLES):
        connection.execute(delete(table).where(table.c.pair_id == kept.id))
    _insert_parts(connection, kept.id, result, samples=samples)
    return Saved(result.pair, "replaced")


def _has_samples(connection: Connection, pair_id: int) -> bool:
    return connection.execute(select(SAMPLES.c.number).where(SAMPLES.c.pair_id == pair_id).limit(1)).first() is not None


def _pair_values(result: StationResult, run_id: int) -> dict[str, Any]:
    return {
        "key": result.key,
        "run_id": run_id,
        "model": _plain(result.pair.model),
        "dataset": _plain(result.pair.dataset),
        **{name: getattr(result.identity, name) for name in _PARTS},
        "mode": result.mode,
        "version": result.version,
        "score_key": result.score_key,
        "scored_at": result.scored_at,
        "samples": result.samples,
        "errors": result.errors,
        "results": dict(result.results),
        "config": dict(result.config),
    }


def _insert_parts(connection: Connection, pair_id: int, result: StationResult, *, samples: bool) -> None:
    scores = [
        {
            "pair_id": pair_id,
            "position": position,
            "metric": _plain(metric),
            "value": _number(value),
            "stderr": _number(result.stderr.get(metric)),
        }
        for position, (metric, value) in enumerate(result.metrics.items())
    ]
    if scores:
        connection.execute(insert(SCORES), scores)
    rows = _sample_rows(pair_id, result) if samples else iter(())
    while batch := list(islice(rows, _BATCH)):
        connection.execute(insert(SAMPLES), batch)


def _sample_rows(pair_id: int, result: StationResult) -> Iterator[Mapping[str, Any]]:
    for number, sample in enumerate(result.all_samples()):
        yield {"pair_id": pair_id, "number": number, "prediction": sample.prediction, "detail": sample.detail}


def _insert_new(connection: Connection, table: Table, values: Mapping[str, Any]) -> bool:
    """Whether the row is new; one of the same key stays as it is."""
    dialect = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement = dialect.insert(table).values(values).on_conflict_do_nothing(index_elements=["key"])
    return connection.execute(statement).rowcount == 1


def _header(row: Row[Any]) -> Header:
    identity = Identity(**{name: getattr(row, name) for name in _PARTS})
    return Header(Pair(row.model, row.dataset), identity, row.name, row.scored_at, row.samples, row.errors)


def _plain(name: str) -> str:
    """Names that every database takes."""
    return name.replace("\0", "").encode("utf-8", "backslashreplace").decode()


def _number(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None


def _machine(message: str, remedy: str = "") -> Finding:
    return Finding(message, remedy=remedy, kind=FindingKind.MACHINE)
