"""Going on with a run after its configuration changed says what is asked again, and why."""

import json

import pytest
from support.workspace import Workspace

from flows.terminal.cli import main


def go_on(workspace: Workspace, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main([str(workspace.config), "--inline", "-r", *arguments]) == 0
    return " ".join(capsys.readouterr().err.split())


@pytest.fixture
def finished(workspace: Workspace) -> Workspace:
    workspace.write({"sums": 6, "more": 6})
    assert main([str(workspace.config), "--inline"]) == 0
    return workspace


def test_nothing_is_said_where_nothing_changed_that_matters(finished: Workspace, capsys: pytest.CaptureFixture[str]):
    finished.config.write_text(finished.config.read_text().replace("batch_size=4", "batch_size=2"))
    for arguments in ([], ["--limit", "3"], ["--max-num-workers", "2"]):
        assert "earlier" not in go_on(finished, capsys, *arguments)
    assert finished.server.requests == 12


def test_another_model(finished: Workspace, capsys: pytest.CaptureFixture[str]):
    finished.write({"sums": 6, "more": 6}, temperature=0.5)
    said = go_on(finished, capsys)
    assert "the settings of the model adder are not those of the earlier run: all is asked again" in said
    assert finished.server.requests == 24
    assert "earlier" not in go_on(finished, capsys)


def test_another_address(finished: Workspace, capsys: pytest.CaptureFixture[str]):
    finished.config.write_text(finished.config.read_text().replace("http://127.0.0.1", "http://localhost"))
    assert "the model adder is asked at another address now" in go_on(finished, capsys)
    assert finished.server.requests == 12


def test_another_prompt_of_one_dataset(finished: Workspace, capsys: pytest.CaptureFixture[str]):
    text = finished.config.read_text()
    finished.config.write_text(text.replace("max_out_len=16", "max_out_len=16 if abbr == 'sums' else 17"))
    said = go_on(finished, capsys)
    assert "the prompt or the inferencer of more is not that of the earlier run" in said and "of sums" not in said
    assert finished.server.requests == 18


def test_other_data(finished: Workspace, capsys: pytest.CaptureFixture[str]):
    with (finished.folder / "sums.jsonl").open("a") as file:
        file.write(json.dumps({"question": "What is 50 + 51?", "answer": "101"}) + "\n")
    assert "the data of sums have changed since the earlier run" in go_on(finished, capsys)
    assert finished.server.requests == 13
