"""One PostgreSQL for these tests, and a user's folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.postgres import Postgres, missing, running_postgres
from support.workspace import Workspace, make_workspace


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    if reason := missing():
        pytest.skip(reason)
    with running_postgres() as server:
        yield server


@pytest.fixture(params=["folder", "sqlite", "postgresql"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty station of each kind."""
    if request.param == "folder":
        return str(tmp_path / "station")
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/station.db"
    return request.getfixturevalue("postgres").new_database()


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path)
    with workspace.server:
        yield workspace
