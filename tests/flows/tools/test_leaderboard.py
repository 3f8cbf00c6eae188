"""`compass leaderboard` and `compass station`."""

import csv
import io
import json
from pathlib import Path

import pytest
from support.stations import result, save

from blocks.station.opening import open_station
from flows.terminal.cli import main


@pytest.fixture(params=["folder", "sqlite"])
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Of a station with results of two models and two datasets, one of them asked in two ways."""
    address = str(tmp_path / "station") if request.param == "folder" else f"sqlite:///{tmp_path}/station.db"
    station = open_station(address)
    save(station, result("a", "sums", accuracy=50.0), result("b", "sums", accuracy=75.0))
    save(
        station,
        result("a", "more", accuracy=10.0),
        result("b", "more", accuracy=20.5, recipe="other", run="20270101_000000"),
    )
    return address


def _table(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, str]]:
    assert main(["leaderboard", *arguments, "-f", "csv"]) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_models_by_datasets(address: str, capsys: pytest.CaptureFixture[str]):
    rows = _table(capsys, "--station", address, "--dataset", "sums")
    assert rows == [{"model": "a", "sums accuracy": "50.0"}, {"model": "b", "sums accuracy": "75.0"}]
    assert [row["model"] for row in _table(capsys, "--station", address, "--sort", "sums")] == ["b", "a"]
    assert [row["model"] for row in _table(capsys, "--station", address, "--model", "b*")] == ["b"]


def test_what_was_asked_in_another_way_is_not_compared(address: str, capsys: pytest.CaptureFixture[str]):
    rows = _table(capsys, "--station", address, "--dataset", "more")
    assert len(rows[0]) == 3
    assert sorted("".join(list(row.values())[1:]) for row in rows) == ["10.0", "20.5"]


def test_other_metrics(address: str, capsys: pytest.CaptureFixture[str]):
    rows = _table(capsys, "--station", address, "--dataset", "sums", "--metric", "oth*")
    assert rows[0] == {"model": "a", "sums other": "1.0"}


def test_every_format(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setenv("COMPASS_STATION", address)
    assert main(["leaderboard"]) == 0
    assert "50.00" in capsys.readouterr().out
    assert main(["leaderboard", "-f", "md", "-o", str(tmp_path / "board.md")]) == 0
    assert "| a" in (tmp_path / "board.md").read_text()
    assert main(["leaderboard", "-f", "json"]) == 0
    capsys.readouterr()
    assert main(["leaderboard", "-f", "json", "--dataset", "sums", "--model", "a"]) == 0
    [score] = json.loads(capsys.readouterr().out)
    assert (score["value"], score["stderr"], score["run"], score["samples"]) == (50.0, 0.5, "20260101_000000", 4)


def test_nothing_to_show(address: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    assert main(["leaderboard", "--station", address, "--model", "nobody"]) == 2
    monkeypatch.delenv("COMPASS_STATION", raising=False)
    assert main(["leaderboard"]) == 2
    assert "COMPASS_STATION" in capsys.readouterr().err


def test_the_state_of_a_station(address: str, capsys: pytest.CaptureFixture[str]):
    assert main(["station", "check", address]) == 0
    assert "has 4 results" in capsys.readouterr().err
    upgraded = main(["station", "upgrade", address])
    said = capsys.readouterr().err
    assert (upgraded == 0 and "already" in said) if "://" in address else (upgraded == 2 and "no tables" in said)


def test_names_that_others_have_stored_are_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    address = f"sqlite:///{tmp_path}/station.db"
    save(open_station(address), result("=1+1|<img src=x>\x1b[2J", "sums", accuracy=50.0))
    assert _table(capsys, "--station", address)[0]["model"].startswith("'=1+1|<img")
    for form in ("text", "md"):
        assert main(["leaderboard", "--station", address, "-f", form, "-o", str(tmp_path / form)]) == 0
    assert "\x1b" not in (tmp_path / "text").read_text()
    assert "\\|\\<img src=x>" in (tmp_path / "md").read_text()


@pytest.mark.parametrize("tool", ["leaderboard", "station check"])
def test_without_any_station_it_says_what_to_name(
    tool: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.delenv("COMPASS_STATION", raising=False)
    assert main(tool.split()) == 2
    assert "no station is named\n  give its folder or address, or set $COMPASS_STATION" in capsys.readouterr().err
