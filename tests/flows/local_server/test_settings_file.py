from pathlib import Path

import pytest

from flows.local_server.settings_file import fixed_port, given_settings, host, set_settings
from flows.local_server.state import ServerFiles, address_of, create_files, password
from flows.tools.services.server import main
from tasks.spec.findings import UserError

GOOD = """\
# for the team
PREFECT_SERVER_DATABASE_CONNECTION_URL=postgresql+asyncpg://prefect:pa$$word@db.example/prefect
PREFECT_SERVER_API_HOST=0.0.0.0
PREFECT_SERVER_API_PORT=4200
PREFECT_SERVER_API_AUTH_STRING='team:secret'
PREFECT_UI_API_URL=https://prefect.example/api
"""


@pytest.fixture
def files(tmp_path: Path) -> ServerFiles:
    files = ServerFiles(tmp_path / "server")
    create_files(files)
    return files


def written(folder: Path, text: str) -> Path:
    path = folder / "team.env"
    path.write_text(text)
    path.chmod(0o600)
    return path


def test_the_server_is_what_they_say_and_they_stay_where_they_are(files: ServerFiles, tmp_path: Path) -> None:
    set_settings(files.settings, written(tmp_path, GOOD))
    given = given_settings(files.settings)
    assert given["PREFECT_SERVER_DATABASE_CONNECTION_URL"].endswith("pa$$word@db.example/prefect")
    assert (host(given), fixed_port(given), password(files)) == ("127.0.0.1", 4200, "team:secret")
    assert address_of(files, 4200).url == "http://127.0.0.1:4200/api"
    assert [path for path in files.root.rglob("*") if path.is_file() and not path.is_symlink()] == [files.authority]


def test_a_server_of_ones_own_needs_none(files: ServerFiles) -> None:
    assert given_settings(files.settings) == {}
    assert password(files).startswith("compass:") and host({}) == "127.0.0.1" and fixed_port({}) is None


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("OPENAI_API_KEY=sk-1", "no setting of Prefect's"),
        ("PREFECT_SERVER_DATABASE_CONNECTION_URL=postgresql://prefect@db/prefect", "postgresql\\+asyncpg"),
        ("PREFECT_SERVER_API_AUTH_STRING=secret", "team:PASSWORD"),
        ("PREFECT_SERVER_API_PORT=http", "is no port"),
        ("PREFECT_SERVER_API_HOST=0.0.0.0", "PREFECT_UI_API_URL"),
    ],
)
def test_what_cannot_work_is_told_with_the_remedy(files: ServerFiles, tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        set_settings(files.settings, written(tmp_path, text))
    assert not files.settings.is_symlink()


def test_a_file_that_others_can_read_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPASS_STATE_DIR", str(tmp_path / "state"))
    path = written(tmp_path, GOOD)
    path.chmod(0o644)
    with pytest.raises(UserError, match="chmod 600"):
        main(["up", "--settings", str(path)])
    with pytest.raises(UserError, match="no such file"):
        main(["up", "--settings", str(tmp_path / "other.env")])


def test_settings_that_are_gone_are_missed(files: ServerFiles, tmp_path: Path) -> None:
    path = written(tmp_path, GOOD)
    set_settings(files.settings, path)
    path.unlink()
    with pytest.raises(UserError, match="are gone"):
        password(files)
