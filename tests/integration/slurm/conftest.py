"""One Slurm for all of its tests, and a user's folder beside it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.slurm import Slurm, missing, running_slurm
from support.slurm_workspace import SlurmWorkspace, slurm_workspace


@pytest.fixture(scope="session")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    if reason := missing():
        pytest.skip(reason)
    with running_slurm(tmp_path_factory.mktemp("slurm") / "base") as slurm:
        yield slurm


@pytest.fixture
def workspace(cluster: Slurm, tmp_path: Path) -> Iterator[SlurmWorkspace]:
    """A user's folder; the cluster is empty again after the test."""
    workspace = slurm_workspace(tmp_path, cluster)
    with workspace.server:
        yield workspace
    cluster.cancel_all()
