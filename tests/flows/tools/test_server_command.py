from pathlib import Path

import pytest

from flows.tools.services.server import main


@pytest.fixture(autouse=True)
def nothing_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COMPASS_STATE_DIR", str(tmp_path / "state"))
    monkeypatch.setenv("PREFECT_API_URL", "")


@pytest.mark.parametrize("argv", [[], ["status"]])
def test_looking_starts_and_creates_nothing(
    argv: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(argv) == 0
    assert capsys.readouterr().out == "Local Prefect server: down\n"
    assert not (tmp_path / "state").exists()


def test_env_of_no_server_exports_nothing_and_says_how_to_start_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["env"]) == 1
    shown = capsys.readouterr()
    assert shown.out == "" and "compass server up" in shown.err


def test_down_of_no_server_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["down"]) == 0
    assert "was not running" in capsys.readouterr().out


def test_an_unknown_action_lists_the_known(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        main(["start"])
    assert "'up', 'down'" in capsys.readouterr().err
