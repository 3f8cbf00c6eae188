"""What version 0.1 left on a disk is found again: nobody answers at the address that its configuration names."""

import shutil
from pathlib import Path

import pytest

from flows.terminal.cli import main
from tasks.spec.storage.run_folder import read_json

STORED = Path(__file__).parents[2] / "data" / "version_0_1"
RUN = Path("outputs", "20261201_031550")
SCORES = {"sums": 100.0, "judged": 100.0, "own": 100.0}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder that version 0.1 worked in, as its user has it today."""
    shutil.copytree(STORED, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def scorers_of_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """The scorers' version that the stored scores are of."""
    for module in ("score_key", "scoring"):
        monkeypatch.setattr(f"tasks.score.{module}.SCORERS_VERSION", 3)


def run(*arguments: str) -> int:
    return main(["my_eval.py", "--inline", "--no-progress", *arguments])


def scores(run_folder: Path) -> dict[str, float]:
    files = run_folder.glob("results/tasks.models.openai_chat.OpenAISDK_adder/*.json")
    return {file.stem: read_json(file)["accuracy"] for file in files if "_replica" not in file.stem}


def contents(folder: Path, pattern: str) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob(pattern) if path.is_file()}


@pytest.mark.usefixtures("scorers_of_then")
def test_a_resumed_run_asks_and_scores_nothing(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = contents(folder / RUN / "predictions", "*") | contents(folder / RUN / "results", "*")
    assert run("-m", "all", "-r", "-w", "outputs") == 0
    assert "the earlier run" not in capsys.readouterr().err
    assert contents(folder / RUN / "predictions", "*") | contents(folder / RUN / "results", "*") == before


@pytest.mark.parametrize("left", ["parts and answers", "answers"])
def test_answers_are_scored_again_without_asking(folder: Path, left: str) -> None:
    for path in [*(folder / RUN).rglob("*.json"), *(folder / RUN).rglob("*.part")]:
        if path.name != "run.json" and (left == "answers" or ".ledger" not in path.parts):
            path.unlink()
    before = contents(folder / RUN, "*.jsonl")
    assert run("-r", "-w", "outputs") == 0
    assert scores(folder / RUN) == SCORES
    assert contents(folder / RUN, "*.jsonl") == before


@pytest.mark.parametrize("kept", ["cache", "station"])
def test_a_new_run_takes_what_is_kept(folder: Path, kept: str, request: pytest.FixtureRequest) -> None:
    if kept == "station":
        request.getfixturevalue("scorers_of_then")
    options = {"cache": ("--cache", "answers"), "station": ("-sp", "station", "--read-from-station")}
    assert run("-w", "new", *options[kept]) == 0
    [new] = folder.glob("new/2*")
    assert scores(new) == SCORES
