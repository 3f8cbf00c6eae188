"""Whatever happened to a file of a station, a run takes the right score from it, or asks, or says what is wrong."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.anything import HOSTILE, changed, damaged, tries
from support.fake_backend import add
from support.workspace import Workspace, make_workspace

from flows.terminal.cli import main


class Kept(NamedTuple):
    """A run whose result is in a station."""

    workspace: Workspace
    station: Path
    file: Path
    content: bytes


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Kept]:
    folder = tmp_path_factory.mktemp("station")
    workspace = make_workspace(folder, lambda text: "0" if "What is 3 " in text else add(text))
    with workspace.server:
        workspace.write({"sums": 5})
        station = folder / "station"
        assert main([str(workspace.config), "--inline", "--no-progress", "-sp", str(station)]) == 0
        (file,) = station.glob("*/*.json")
        yield Kept(workspace, station, file, file.read_bytes())


@st.composite
def damage(draw: st.DrawFn, content: bytes) -> bytes:
    kind = draw(st.integers(0, 2))
    if kind == 0:
        return json.dumps(draw(changed(json.loads(content), most=1))).encode()
    return draw(st.just(content) | HOSTILE | damaged(content))


@tries(15)
@given(data=st.data(), flags=st.sampled_from([("--read-from-station",), (), ("--station-overwrite",)]))
def test_a_run_with_a_damaged_station(
    kept: Kept, capsys: pytest.CaptureFixture[str], data: st.DataObject, flags: tuple[str, ...]
) -> None:
    kept.file.write_bytes(content := data.draw(damage(kept.content)))
    arguments = [str(kept.workspace.config), "--inline", "--no-progress", "-sp", str(kept.station)]
    status = main([*arguments, *flags])
    shown = capsys.readouterr()
    assert status in (0, 1, 2) and "Traceback" not in shown.err + shown.out
    assert status or "80.00" in shown.out
    assert status == 0 or content != kept.content
    assert status == 0 or str(kept.file) in shown.err


@pytest.mark.parametrize("wrong", [5.0, None, "80", []])
def test_a_score_that_was_changed_is_not_taken(kept: Kept, capsys: pytest.CaptureFixture[str], wrong: object) -> None:
    content = json.loads(kept.content)
    content["results"]["accuracy"] = wrong
    kept.file.write_text(json.dumps(content))
    arguments = [str(kept.workspace.config), "--inline", "--no-progress", "-sp", str(kept.station)]
    assert main([*arguments, "--read-from-station"]) == 1
    assert f"{kept.file} was changed: its accuracy is {wrong!r}, and 80.0 was saved" in capsys.readouterr().err


@tries(20)
@given(data=st.data(), words=st.sampled_from(["leaderboard --station {}", "leaderboard --station {} -f json"]))
def test_tables_of_a_damaged_station(
    kept: Kept, capsys: pytest.CaptureFixture[str], data: st.DataObject, words: str
) -> None:
    kept.file.write_bytes(data.draw(damage(kept.content)))
    status = main(words.format(kept.station).split())
    shown = capsys.readouterr()
    assert status in (0, 1, 2) and "Traceback" not in shown.err + shown.out
