"""SimpleQA from configuration to score: the judge sees question, reference and answer, and grades."""

from pathlib import Path

import pytest
from support.scripted_server import Call, ScriptedServer, Turn
from support.shared_data import shared_data
from support.workspace import Workspace

from flows.terminal.cli import main

_CONFIG = """\
from opencompass.models import OpenAISDK
from tasks.spec import read_base

with read_base():
    from opencompass.configs.datasets.simpleqa.simpleqa_gen import simpleqa_datasets

datasets = simpleqa_datasets
models = [
    dict(type=OpenAISDK, abbr=name, path=name, key='EMPTY', openai_api_base={url!r}, batch_size=8)
    for name in ('right', 'wrong', 'silent')
]
for dataset in datasets:
    dataset['eval_cfg']['evaluator']['judge_cfg'] = dict(models[0], abbr='the-judge', path='the-judge')
work_dir = 'outputs'
"""
_GRADES = {"right": "A", "wrong": "**B**", "silent": "The answer says nothing.\n\nC"}


def _decide(call: Call) -> Turn:
    model = str(call.body["model"])
    if model != "the-judge":
        return Turn(text=model)
    assert "Reference: " in call.last_user
    graded = call.last_user.split("Answer to grade: ")[1].split("\n")[0]
    return Turn(text=_GRADES[graded])


def test_simpleqa_is_graded_by_a_judge(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(shared_data().parent))
    with ScriptedServer(decide=_decide) as server:
        (tmp_path / "my_eval.py").write_text(_CONFIG.format(url=server.url))
        assert main(["my_eval.py", "--inline", "--no-progress", "--limit", "5"]) == 0
    run = Workspace(tmp_path, server)
    found = {name: run.read(f"results/{name}/simpleqa.json") for name in _GRADES}
    assert [found[name]["accuracy"] for name in _GRADES] == [100, 0, 0]
    assert [found[name]["not_attempted_count"] for name in _GRADES] == [0, 0, 5]
    assert server.requests == 30
