"""One PostgreSQL for all tests of stations."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.postgres import Postgres, missing, running_postgres


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    if reason := missing():
        pytest.skip(reason)
    with running_postgres() as server:
        yield server


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/station.db"
    return request.getfixturevalue("postgres").new_database()


@pytest.fixture(params=["folder", "sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty station of each kind."""
    if request.param == "folder":
        return str(tmp_path / "station")
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/station.db"
    return request.getfixturevalue("postgres").new_database()
