"""The guide to judged datasets: what it shows runs as it stands."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.repository import ROOT
from support.scripted_server import Call, ScriptedServer, Turn

from flows.terminal.cli import main
from tasks.spec.storage.run_folder import read_json, run_names

GUIDE = (ROOT / "docs/how_to/own_judged_dataset.md").read_text(encoding="utf-8")
COMMAND, WITH_LOADER = re.findall(r"^compass (letters_eval\.py.*)$", GUIDE, re.MULTILINE)
ROWS, CONFIG, LOADER = re.findall(r"```(?:json|python)\n(.*?)```", GUIDE, re.DOTALL)


def _judge(call: Call) -> Turn | None:
    if call.body["model"] != "the-judge":
        return None
    return Turn(text="Warm. [[9]]" if "socks" in call.last_user else "[[4]]")


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedServer]:
    monkeypatch.chdir(tmp_path)
    with ScriptedServer(lambda question: f"Dear reader: {question}", decide=_judge) as server:
        named = {"OPENAI_BASE_URL": server.url, "OPENAI_API_KEY": "EMPTY", "OPENAI_MODEL": "writer"}
        judge = {"OC_JUDGE_API_BASE": server.url, "OC_JUDGE_API_KEY": "EMPTY", "OC_JUDGE_MODEL": "the-judge"}
        for name, value in {**named, **judge}.items():
            monkeypatch.setenv(name, value)
        yield server


def letters(folder: Path, command: str) -> dict[str, Any]:
    """The results of one of the guide's commands with its configuration."""
    (folder / "letters_eval.py").write_text(CONFIG)
    assert main([*command.split(), "--inline", "--no-progress"]) == 0
    outputs = folder / "outputs" / "default"
    return read_json(outputs / run_names(outputs)[-1] / "results" / "writer" / "letters.json")


def test_a_benchmark_of_ones_own_is_one_configuration(tmp_path: Path, server: ScriptedServer):
    (tmp_path / "letters.jsonl").write_text(ROWS)
    results = letters(tmp_path, COMMAND)
    assert results["average"] == 6.5 and results["by_capability"] == [{"thanks": 9.0, "complaint": 4.0}]


def test_or_one_more_file_for_its_loader(tmp_path: Path, server: ScriptedServer):
    (tmp_path / "letters_data.py").write_text(LOADER)
    (tmp_path / "letters.txt").write_text("thanks: Thank your aunt for the socks.\ncomplaint: It is cold.\n")
    assert letters(tmp_path, WITH_LOADER)["average"] == 6.5
