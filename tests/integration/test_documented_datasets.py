"""`docs/how_to/own_dataset.md`, word for word: a benchmark of one file, and one with a loader."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.repository import ROOT
from support.scripted_server import ScriptedServer
from support.workspace import Workspace

from flows.terminal.cli import main

TEXT = (ROOT / "docs" / "how_to" / "own_dataset.md").read_text(encoding="utf-8")
CONFIG, LOADER = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
[ROW] = re.findall(r"```json\n(.*?)```", TEXT, re.DOTALL)
[LINE] = re.findall(r"```text\n(.*?)```", TEXT, re.DOTALL)
COMMAND, WITH_LOADER = re.findall(r"```\ncompass (.*?)\n```", TEXT, re.DOTALL)


@pytest.fixture
def riddles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """A user's folder with the configuration of the page."""
    folder = tmp_path / "configs/datasets/riddles"
    folder.mkdir(parents=True)
    (folder / "riddles_gen.py").write_text(CONFIG)
    (tmp_path / "data").mkdir()
    monkeypatch.chdir(tmp_path)
    with ScriptedServer(lambda question: "A" if "clap" in question else "B") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "x")
        monkeypatch.setenv("OPENAI_MODEL", "served")
        yield Workspace(tmp_path, server)


def _accuracy(riddles: Workspace, command: str) -> float:
    assert main([*command.replace("\\\n", " ").split(), "--work-dir", "outputs", "--inline", "--no-progress"]) == 0
    return riddles.read("results/served/riddles.json")["accuracy"]


def test_one_file_is_enough(riddles: Workspace) -> None:
    (riddles.folder / "data/riddles.jsonl").write_text(ROW * 2)
    assert _accuracy(riddles, COMMAND) == 100
    assert riddles.server.calls[0].last_user.endswith("A. A clock\nB. A cloud\nReply with the letter.")


def test_one_more_for_its_loader(riddles: Workspace) -> None:
    (riddles.folder / "riddle_rows.py").write_text(LOADER)
    (riddles.folder / "data/riddles.txt").write_text(f"Why?;Yes;No;A\n{LINE}")
    assert _accuracy(riddles, WITH_LOADER) == 50
