"""Folders of OpenCompass with anything in them: a run takes what is there, asks the rest, or says what is wrong."""

import json
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.anything import HOSTILE, changed, damaged, tries
from support.workspace import Workspace, make_workspace

from flows.terminal.cli import main

COUNT = 4
ANSWERS = {
    str(number): {
        "origin_prompt": [{"role": "HUMAN", "prompt": f"What is {number} + {number + 1}?"}],
        "prediction": str(2 * number + 1),
        "gold": str(2 * number + 1),
    }
    for number in range(COUNT)
}
RESULTS = {"accuracy": 100.0, "details": {"0": {"pred": "1", "answer": "1", "correct": True}, "type": "GEN"}}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path_factory.mktemp("foreign"))
    with workspace.server:
        workspace.write({"sums": COUNT})
        yield workspace


@st.composite
def file_of(draw: st.DrawFn, content: Any) -> bytes:
    whole = json.dumps(content, indent=4).encode()
    strange = changed(content, most=3).map(lambda value: json.dumps(value, indent=4).encode())
    return draw(st.just(whole) | strange | damaged(whole) | HOSTILE)


@st.composite
def layouts(draw: st.DrawFn) -> dict[str, bytes]:
    """Predictions whole, in shards, or unfinished; and results."""
    records = list(ANSWERS.values())
    halves = [dict(zip("01", half, strict=True)) for half in (records[:2], records[2:])]
    predictions = {
        "whole": {"sums.json": ANSWERS},
        "shards": {"sums_0.json": halves[0], "sums_1.json": halves[1]},
        "unfinished": {"tmp_sums.json": halves[0]},
    }[draw(st.sampled_from(["whole", "shards", "unfinished"]))]
    files = {f"predictions/adder/{name}": draw(file_of(content)) for name, content in predictions.items()}
    if draw(st.booleans()):
        files["results/adder/sums.json"] = draw(file_of(RESULTS))
    return files


@tries(40)
@given(files=layouts(), mode=st.sampled_from(["all", "eval", "viz"]))
def test_a_folder_of_opencompass(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], files: dict[str, bytes], mode: str
) -> None:
    run = workspace.work_dir / "20260101_000000"
    shutil.rmtree(workspace.work_dir, ignore_errors=True)
    for name, content in files.items():
        (run / name).parent.mkdir(parents=True, exist_ok=True)
        (run / name).write_bytes(content)
    status = main([str(workspace.config), "-r", run.name, "-m", mode, "--inline", "--no-progress"])
    shown = capsys.readouterr()
    assert status in (0, 1) and "Traceback" not in shown.err + shown.out
    if status:
        assert "adder/sums: " in shown.err, shown
    elif mode == "eval":
        own = workspace.read("results/adder/sums.json")["compass"]["samples"]
        assert own["n"] == COUNT
