import os
import socket
from pathlib import Path

import pytest

from flows.local_server.local_disk import private_folder, state_folder

MOUNTS = """\
/dev/sda / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/sdb /home/local\\040disk xfs rw 0 0
"""


@pytest.fixture
def mounts(tmp_path: Path) -> Path:
    (tmp_path / "mounts").write_text(MOUNTS)
    return tmp_path / "mounts"


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"COMPASS_STATE_DIR": "/home/u/mine", "XDG_STATE_HOME": "/x"}, "/home/u/mine"),
        ({"XDG_STATE_HOME": "/x/state"}, "/x/state/compass/{host}"),
        ({"XDG_STATE_HOME": "/home/local disk/state"}, "/home/local disk/state/compass/{host}"),
        ({"XDG_STATE_HOME": "/home/u/state"}, "/var/tmp/compass-{uid}/{host}"),
    ],
)
def test_state_lies_on_a_local_disk_unless_it_is_placed(environ: dict[str, str], expected: str, mounts: Path) -> None:
    assert str(state_folder(environ, mounts)) == expected.format(host=socket.gethostname(), uid=os.getuid())


def test_without_variables_it_lies_in_the_home_folder(mounts: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/u"))
    assert state_folder({}, mounts) == Path("/u/.local/state/compass") / socket.gethostname()
    assert state_folder({}, mounts.with_name("absent")) == Path("/u/.local/state/compass") / socket.gethostname()


def test_a_private_folder_is_closed_to_others(tmp_path: Path) -> None:
    folder = private_folder(tmp_path / "a" / "b")
    assert folder.stat().st_mode & 0o777 == 0o700
