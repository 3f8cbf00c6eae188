"""A user's folder for tests of the command line."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.workspace import Workspace, make_workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path)
    with workspace.server:
        yield workspace
