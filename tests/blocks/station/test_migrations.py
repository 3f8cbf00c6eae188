"""A station that an older Compass made."""

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection
from support.stations import identity, result, save

import blocks.station.connection as connection_module
from blocks.station.connection import on_database, revision_of
from blocks.station.database import DatabaseStation
from blocks.station.entry import StationError
from blocks.station.schema import METADATA, REVISION, REVISION_TABLE
from tasks.spec.storage.run_folder import Pair


def _alembic(connection: Connection | None = None) -> Config:
    config = Config(attributes={"connection": connection})
    folder = connection_module.__file__.replace("connection.py", "migrations")
    config.set_main_option("script_location", folder)
    return config


def _to(revision: str, address: str) -> None:
    def work(connection: Connection) -> None:
        with connection.begin():
            command.upgrade(_alembic(connection), revision)

    on_database(address, work, write=True)


def test_the_newest_revision_is_the_schema_s(database: str):
    assert ScriptDirectory.from_config(_alembic()).get_heads() == [REVISION]
    assert DatabaseStation(database).upgrade() == (None, REVISION)

    def differences(connection: Connection) -> list:
        context = MigrationContext.configure(connection, opts={"version_table": REVISION_TABLE})
        return compare_metadata(context, METADATA)

    assert on_database(database, differences, write=False) == []


def test_older_tables_are_left_alone_until_somebody_asks(database: str):
    station = DatabaseStation(database)
    _to("0001", database)
    [finding] = station.findings()
    assert "compass station upgrade" in finding.message
    with pytest.raises(StationError, match="tables of version 0001"):
        save(station, result())
    assert on_database(database, revision_of, write=False) == "0001"


def test_what_was_kept_survives_the_upgrade(database: str, monkeypatch: pytest.MonkeyPatch):
    station = DatabaseStation(database)
    _to("0001", database)
    with monkeypatch.context() as older:  # as the older Compass wrote
        older.setattr(connection_module, "REVISION", "0001")
        older.setattr("blocks.station.database._has_samples", lambda *_: False)
        save(station, result())
    assert DatabaseStation(database).upgrade() == ("0001", REVISION)
    assert DatabaseStation(database).upgrade() == (REVISION, REVISION)
    assert station.findings() == []
    assert station.load(Pair("adder", "sums"), identity())["accuracy"] == 90.0
    assert [saved.fate for saved in save(station, result(dataset="more"), samples=True)] == ["saved"]


def test_newer_tables_are_not_touched(database: str):
    DatabaseStation(database).upgrade()

    def newer(connection: Connection) -> None:
        with connection.begin():
            connection.exec_driver_sql(f"UPDATE {REVISION_TABLE} SET version_num = '9999'")

    on_database(database, newer, write=True)
    [finding] = DatabaseStation(database).findings()
    assert "newer Compass" in finding.message
    with pytest.raises(StationError):
        save(DatabaseStation(database), result())
