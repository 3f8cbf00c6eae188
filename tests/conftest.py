"""What tests of several folders share."""

import signal
from collections.abc import Iterator

import pytest

from flows.local_server.start import stop_own_server
from flows.local_server.state import server_files


def pytest_configure() -> None:
    """Jobs in the background of a shell have Ctrl-C ignored, and so would all that tests start."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def prefect_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment in which runs of all tests share one Prefect server, which the first of them starts."""
    environ = {"COMPASS_STATE_DIR": str(tmp_path_factory.mktemp("state"))}
    yield environ
    stop_own_server(server_files(environ))
