"""Connections to a station's database, and the state of its tables."""

import asyncio
import json
import math
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, event, inspect, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine
from sqlalchemy.pool import NullPool

from blocks.station.address import driver_url, shown
from blocks.station.entry import StationError
from blocks.station.schema import REVISION, REVISION_TABLE
from tasks.spec.secrets.scrubber import SecretScrubber
from tasks.spec.storage.jsonable import jsonable

T = TypeVar("T")

_CONNECT_S = 20.0
_COMMAND_S = 120.0
_LOCK = 7_226_141_590_823
"""PostgreSQL's advisory lock of those who change the tables; any number that nobody else uses."""


def on_database(address: str, work: Callable[[Connection], T], *, write: bool) -> T:
    """What `work` returns; it opens transactions itself. StationError if the database cannot be used.

    A thread of its own has the event loop, since the caller's may have one already.
    """

    async def connected() -> T:
        engine = _engine(address, write=write)
        try:
            async with engine.connect() as connection:
                return await connection.run_sync(work)
        finally:
            await engine.dispose()

    with ThreadPoolExecutor(1, "station") as pool:
        try:
            return pool.submit(asyncio.run, connected()).result()
        except StationError:
            raise
        except Exception as error:  # noqa: BLE001  # drivers raise errors of many kinds before they are connected
            raise StationError(f"the station {shown(address)} cannot be used: {reason_of(address, error)}") from None


def revision_of(connection: Connection) -> str | None:
    """Of the tables; None if there are none."""
    if not inspect(connection).has_table(REVISION_TABLE):
        return None
    return connection.execute(text(f"SELECT version_num FROM {REVISION_TABLE}")).scalar()  # noqa: S608  # a constant


def require_tables(connection: Connection, address: str) -> None:
    """StationError if the tables are of another version."""
    found = revision_of(connection)
    if found not in (None, REVISION):
        hint = (
            "run `compass station upgrade`" if found < REVISION else "a newer Compass has changed it: upgrade this one"
        )
        raise StationError(f"the station {shown(address)} has tables of version {found}, not {REVISION}; {hint}")


def upgrade(connection: Connection) -> tuple[str | None, str]:
    """Brings the tables to the newest version, or makes them; returns the version before and after.

    Of several who come at once, one does it and the others wait.
    """
    from alembic import command
    from alembic.config import Config

    with connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text(f"SELECT pg_advisory_xact_lock({_LOCK})"))
        before = revision_of(connection)
        if before != REVISION:
            config = Config(attributes={"connection": connection})
            config.set_main_option("script_location", str(Path(__file__).with_name("migrations")).replace("%", "%%"))
            command.upgrade(config, "head")
    return before, REVISION


def _engine(address: str, *, write: bool) -> AsyncEngine:
    url = make_url(driver_url(address))
    is_sqlite = url.get_backend_name() == "sqlite"
    engine = create_async_engine(
        url if is_sqlite else _without_sslmode(url),
        poolclass=NullPool,
        hide_parameters=True,
        json_serializer=_json,
        connect_args={"timeout": _COMMAND_S} if is_sqlite else {"timeout": _CONNECT_S, "command_timeout": _COMMAND_S},
    )
    if is_sqlite:
        _lock_at_begin(engine, "IMMEDIATE" if write else "DEFERRED")
    return engine


def _lock_at_begin(engine: AsyncEngine, kind: str) -> None:
    """SQLite's driver would begin at the first write, when it may be too late to wait for others."""

    def connected(connection: Any, _record: Any) -> None:
        connection.isolation_level = None

    def begun(connection: Connection) -> None:
        connection.exec_driver_sql(f"BEGIN {kind}")

    event.listen(engine.sync_engine, "connect", connected)
    event.listen(engine.sync_engine, "begin", begun)


def _without_sslmode(url: URL) -> URL:
    """What libpq calls `sslmode` is `ssl` for asyncpg."""
    mode = url.query.get("sslmode")
    return url.difference_update_query(["sslmode"]).update_query_dict({"ssl": mode}) if mode else url


def _json(value: Any) -> str:
    """Plain ASCII, since PostgreSQL takes any escape but not every character; what is not a number becomes null."""
    try:
        return json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return json.dumps(_finite(jsonable(value)))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in cast(Mapping[str, Any], value).items()}
    if isinstance(value, list):
        return [_finite(item) for item in cast(list[Any], value)]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def reason_of(address: str, error: Exception) -> str:
    """One line without secrets; SQLAlchemy's own text has the statement as well."""
    cause = error.orig if isinstance(error, DBAPIError) and error.orig is not None else error
    lines = str(cause).strip().splitlines() or [type(cause).__name__]
    return SecretScrubber.of_configuration({"station_path": address}).scrub(lines[0])
