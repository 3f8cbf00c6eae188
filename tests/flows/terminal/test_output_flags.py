"""Flags that say what files and summary hold beyond scores."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.workspace import Workspace, make_workspace

from flows.terminal.cli import main
from tasks.spec.storage.run_folder import read_json


@pytest.fixture
def endless(tmp_path: Path) -> Iterator[Workspace]:
    """A model that answers one question in an endless loop."""
    workspace = make_workspace(tmp_path, lambda text: "17 " * 4000 if "8 + 9" in text else "a short answer")
    with workspace.server:
        yield workspace


def test_lengths_of_prompts_and_answers(workspace: Workspace) -> None:
    workspace.write({"sums": 2})
    assert main([str(workspace.config), "--inline", "--dump-res-length"]) == 0
    record = workspace.read("predictions/adder/sums.json")["0"]
    assert record["res_length"] > 0
    assert record["all_input_length"] > 0
    assert [message["input_length"] > 0 for message in record["origin_prompt"]] == [True]
    assert main([str(workspace.config), "--inline", "-r"]) == 0
    assert "res_length" not in workspace.read("predictions/adder/sums.json")["0"]


def test_the_extraction_rate_is_a_metric(workspace: Workspace) -> None:
    workspace.write({"sums": 4})
    assert main([str(workspace.config), "--inline", "--dump-extract-rate"]) == 0
    results = workspace.read("results/adder/sums.json")
    assert list(results)[:2] == ["accuracy", "extract_rate"]
    assert results["extract_rate"] == 100.0


def test_results_without_details(workspace: Workspace) -> None:
    workspace.write({"sums": 2})
    assert main([str(workspace.config), "--inline", "--dump-eval-details", "false"]) == 0
    assert "details" not in workspace.read("results/adder/sums.json")


def test_the_configuration_can_say_both(workspace: Workspace) -> None:
    task = "dict(type='OpenICLEvalTask', dump_details=False, cal_extract_rate=True)"
    workspace.write({"sums": 2}, extra=f"eval = dict(runner=dict(type='LocalRunner', task={task}))\n")
    assert main([str(workspace.config), "--inline"]) == 0
    results = workspace.read("results/adder/sums.json")
    assert "details" not in results and results["extract_rate"] == 100.0


def test_answers_that_repeat_themselves(endless: Workspace, capsys: pytest.CaptureFixture[str]) -> None:
    endless.write({"sums": 10})
    assert main([str(endless.config), "--inline", "--analysis-repeat"]) == 0
    assert "Repetition" in capsys.readouterr().out
    (path,) = (endless.run_folder / "summary").glob("repeat_analysis_*.json")
    analysis = read_json(path)
    (sample,) = analysis["abnormal_samples"]
    assert (sample["model"], sample["dataset"], sample["index"]) == ("adder", "sums", 8)
    assert sample["text"].startswith("17 17") and sample["ratio"] == 1.0
    (stats,) = analysis["benchmark_stats"]
    assert (stats["samples"], stats["by_pattern"]) == (10, 1)


def test_a_summarizer_that_cannot_be_used_is_told_before_anything_is_asked(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    workspace.write({"sums": 2}, extra="summarizer = dict(summary_groups=[dict(name='avg', subset=['sums'])])\n")
    assert main([str(workspace.config), "--inline"]) == 2
    assert "there is no option 'subset' here" in capsys.readouterr().err
    assert workspace.server.requests == 0


@pytest.mark.parametrize("dry", [True, False])
def test_a_misspelt_member_of_a_group_is_told_before_anything_is_asked(
    dry: bool, workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    group = "dict(name='avg', subsets=['sumz', 'more'])"
    workspace.write({"sums": 2, "more": 2}, extra=f"summarizer = dict(summary_groups=[{group}])\n")
    assert main([str(workspace.config), "--inline", *["--dry-run"] * dry]) == 0
    told = capsys.readouterr()
    place = f"{workspace.config}: summarizer.summary_groups[0].subsets: "
    assert place + "the run asks no 'sumz', so this group will be empty\n  did you mean 'sums'?" in told.err
    assert dry or "adder / avg: missing metrics: sumz" in told.out


def test_a_row_without_a_dataset_is_told_before_anything_is_asked(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
) -> None:
    rows = "summarizer = dict(dataset_abbrs=['--- Exam ---', 'sums', 'smus', ['nothing', 'accuracy']])"
    workspace.write({"sums": 2}, extra=rows)
    assert main([str(workspace.config), "--dry-run"]) == 0
    shown = " ".join("".join(capsys.readouterr()).split())
    assert "no dataset or group of this run is called smus, nothing" in shown and "did you mean 'sums'" in shown


@pytest.mark.parametrize("word", ["maybe", "2", ""])
def test_a_boolean_is_a_boolean(workspace: Workspace, capsys: pytest.CaptureFixture[str], word: str) -> None:
    workspace.write({"sums": 2})
    with pytest.raises(SystemExit) as ended:
        main([str(workspace.config), "--dry-run", "--dump-eval-details", word])
    assert ended.value.code == 2 and "is neither true nor false" in capsys.readouterr().err
