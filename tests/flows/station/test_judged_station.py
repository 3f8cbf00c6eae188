"""Judged datasets in a station."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.subjective_workspace import SubjectiveWorkspace

from flows.terminal.cli import main

ALLPAIR = "[essays | dict(eval_cfg=pair, mode='allpair', infer_order='random')]"
RATED = "[essays | dict(eval_cfg=single)]"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[SubjectiveWorkspace]:
    workspace = SubjectiveWorkspace(tmp_path)
    with workspace.server:
        workspace.judge = lambda _, first, second: "[[m]]" if second else "[[7]]"
        yield workspace


def _run(workspace: SubjectiveWorkspace, *arguments: str) -> int:
    return main([str(workspace.config), "--inline", "--no-progress", *arguments])


def _asked(workspace: SubjectiveWorkspace, *names: str) -> int:
    count = sum(workspace.asked[name] for name in names)
    workspace.asked.clear()
    return count


def test_what_judges_said_lies_where_opencompass_looks(workspace: SubjectiveWorkspace):
    workspace.write_essays(RATED)
    station = workspace.folder / "station"
    assert _run(workspace, "-sp", str(station)) == 0
    content = json.loads((station / "essays/writer_judged-by--judge.json").read_text())
    assert len(content["predictions"]) == 6 and content["results"]["details"]
    assert (station / "essays/writer.json").is_file()


def test_ratings_are_taken_unless_another_judge_is_asked(
    workspace: SubjectiveWorkspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write_essays(RATED)
    station = f"sqlite:///{workspace.folder}/station.db"
    assert _run(workspace, "-sp", station) == 0
    workspace.asked.clear()
    assert _run(workspace, "-sp", station, "--read-from-station") == 0
    assert _asked(workspace, "judge", "writer") == 0
    workspace.write_essays(RATED, openai_extra_kwargs={"top_p": 0.5})
    assert _run(workspace, "-sp", station, "--read-from-station") == 0
    assert "it was scored in another way" in capsys.readouterr().err
    assert _asked(workspace, "judge", "writer") == 18


def test_a_model_that_a_new_one_is_compared_with_is_asked(
    workspace: SubjectiveWorkspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write_essays(ALLPAIR, ("one", "two"))
    station = f"sqlite:///{workspace.folder}/station.db"
    keep = "models = models[1:]\n"
    workspace.write_essays(ALLPAIR, ("one", "two"), extra=keep)
    assert _run(workspace, "-sp", station) == 0
    assert _asked(workspace, "one", "two") == 12
    assert _run(workspace, "-sp", station, "--read-from-station") == 0
    assert _asked(workspace, "one", "two", "judge") == 0
    workspace.write_essays(ALLPAIR, ("one", "two", "three"), extra=keep)
    assert _run(workspace, "-sp", station, "--read-from-station") == 0
    assert "0 of 3 pairs" in capsys.readouterr().err
    assert _asked(workspace, "one", "two", "three") == 18
