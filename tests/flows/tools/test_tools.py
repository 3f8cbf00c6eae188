"""The sub-commands, on runs and configurations as users have them."""

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from support.scripted_server import failed
from support.specs import write_rows
from support.workspace import Workspace

from flows.terminal.cli import main
from tasks.spec.storage.run_folder import RunFolder, exclusive, read_json


@pytest.fixture
def finished(workspace: Workspace) -> Workspace:
    """A run of ten sums, two of them answered wrongly."""
    workspace.write({"sums": 10})
    workspace.server.answer = lambda text: "0" if "What is 3 " in text or "What is 7 " in text else _add(text)
    assert main([str(workspace.config), "--inline", "--no-progress"]) == 0
    return workspace


def _add(text: str) -> str:
    from support.fake_backend import add

    return add(text)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([], "there is no run in {0}/default\n  there are runs in {0}/mine: -w names the folder"),
        (["20260101_000000"], "there is no run '20260101_000000' in {0}/default\n  there are runs in {0}/mine"),
        (["-w", "{0}/mine", "20260101_000000"], "in {0}/mine\n  the newest are 20260202_000000"),
        (["-w", "{0}/mine/none"], "there is no run in {0}/mine/none\n  -w names the folder of the runs"),
    ],
)
def test_who_looks_for_a_run_in_the_wrong_folder_is_told_where_runs_are(
    arguments: list[str], told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    (tmp_path / "mine" / "20260202_000000").mkdir(parents=True)
    elsewhere = ["-w", str(tmp_path / "default")]
    assert main(["status", *elsewhere, *(word.format(tmp_path) for word in arguments)]) == 2
    assert told.format(tmp_path) in capsys.readouterr().err


@pytest.mark.parametrize("tool", ["prompt", "check-api", "prepare --into somewhere"])
def test_a_tool_that_is_told_nothing_says_what_it_needs(tool: str, capsys: pytest.CaptureFixture[str]):
    assert main(tool.split()) == 2
    assert "give a configuration file, or --models and --datasets" in capsys.readouterr().err


def test_status_tells_done_and_total_from_the_folder_alone(finished: Workspace, capsys: pytest.CaptureFixture[str]):
    capsys.readouterr()
    assert main(["status", str(finished.run_folder)]) == 0
    shown = capsys.readouterr().out
    assert "10/10" in shown and "exit status 0" in shown and "pid" in shown
    assert main(["status", "-w", str(finished.work_dir), "--json"]) == 0
    [pair] = json.loads(capsys.readouterr().out)["pairs"]
    assert (pair["done"], pair["total"], pair["errors"], pair["infer"], pair["eval"]) == (10, 10, 0, "done", "done")


def test_status_of_a_failed_run_gives_the_reason(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 4})
    workspace.server.decide = lambda call: failed(500)
    assert main([str(workspace.config), "--inline", "--no-progress"]) == 1
    assert main(["status", str(workspace.run_folder)]) == 1
    shown = capsys.readouterr().out
    assert "fail" in shown and "no answer" in shown


def test_status_of_a_folder_in_use_names_the_process(finished: Workspace, capsys: pytest.CaptureFixture[str]):
    capsys.readouterr()
    with exclusive(RunFolder(finished.run_folder)):
        main(["status", str(finished.run_folder), "--json"])
    assert json.loads(capsys.readouterr().out)["holder"] == f"process {os.getpid()} on {socket.gethostname()}"


def test_cases_shows_wrong_answers_beside_their_references(finished: Workspace, capsys: pytest.CaptureFixture[str]):
    capsys.readouterr()
    assert main(["cases", str(finished.run_folder), "-c", "1"]) == 0
    shown = capsys.readouterr().out
    assert "What is 3 + 4?" in shown and "answer: 7" in shown and "What is 7 " not in shown
    cases = read_json(finished.run_folder / "case_analysis/bad/adder/sums.json")
    assert [case["index"] for case in cases] == [3, 7]
    assert main(["cases", str(finished.run_folder), "--full"]) == 0
    assert len(read_json(finished.run_folder / "case_analysis/all/adder/sums.json")) == 10
    assert main(["cases", str(finished.run_folder), "--dataset", "other*"]) == 2


def test_clean_frees_ledgers_of_finished_pairs_and_keeps_the_rest(finished: Workspace):
    folder = finished.run_folder
    assert main(["clean", str(folder), "--dry-run"]) == 0
    ledger, predictions = folder / "predictions/adder/.ledger/sums", folder / "predictions/adder/sums.json"
    assert list(ledger.glob("*.jsonl"))
    assert main(["clean", str(folder)]) == 0
    assert sorted(path.name for path in ledger.iterdir()) == ["asked_rows", "collected.json"]
    assert predictions.exists() and (folder / "results/adder/sums.json").exists()


def test_damage_of_predictions_is_noticed_after_cleaning(finished: Workspace, capsys: pytest.CaptureFixture[str]):
    assert main(["clean", str(finished.run_folder)]) == 0
    capsys.readouterr()
    assert main(["clean", str(finished.run_folder)]) == 0
    assert capsys.readouterr().out == "", "nothing is left to remove"
    predictions = finished.run_folder / "predictions/adder/sums.json"
    modified = predictions.stat().st_mtime_ns
    predictions.write_text(predictions.read_text().replace("What is 1 +", "What is 5 +"))
    os.utime(predictions, ns=(modified, modified))
    assert main([str(finished.config), "--inline", "-r", "-m", "eval", "--no-progress"]) == 1
    assert "sums.json is damaged" in capsys.readouterr().err


def test_clean_leaves_a_run_alone_that_is_in_use(finished: Workspace, capsys: pytest.CaptureFixture[str]):
    with exclusive(RunFolder(finished.run_folder)):
        assert main(["clean", str(finished.run_folder)]) == 2
    assert "in use by" in capsys.readouterr().err


def test_prompt_shows_the_exact_prompt_tokens_and_reference(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 3, "more": 3}, max_seq_len=10, max_out_len=8)
    assert main(["prompt", str(workspace.config), "-p", "more", "-c", "2"]) == 0
    shown = capsys.readouterr().out
    assert "user: What is 0 + 1?" in shown and "What is 1 + 2?" in shown and "reference: 3" in shown
    assert "4 tokens (estimate)" in shown and "the answer gets 3 tokens instead of 16" in " ".join(shown.split())
    assert "adder on sums" not in shown and workspace.server.requests == 0


def test_prompt_shows_what_is_sent_and_what_was_cut(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 1}, max_seq_len=4, max_out_len=50, mode="rear")
    assert main(["prompt", str(workspace.config)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "[cut: " in shown and "(rear)" in shown and "the answer gets" in shown
    workspace.write({"sums": 1}, max_seq_len=4, max_out_len=50)
    assert main(["prompt", str(workspace.config)]) == 0
    assert "not sent: longer than the context of 4" in capsys.readouterr().out


def test_prompt_shows_one_text_per_label(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    config = tmp_path / "my.py"
    write_rows(tmp_path / "q.jsonl", [{"question": "q", "A": "x", "B": "y", "answer": "A"}])
    config.write_text(f"datasets = [dict(path={str(tmp_path / 'q.jsonl')!r}, infer_method='ppl')]\n")
    assert main(["prompt", str(config)]) == 0
    shown = capsys.readouterr().out
    assert "label A" in shown and "label B" in shown and "Answer: B" in shown


def test_prompt_stats_show_the_distribution_of_lengths(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 20}, max_seq_len=4)
    assert main(["prompt", str(workspace.config), "--stats"]) == 0
    header, _, row = capsys.readouterr().out.splitlines()[:3]
    headers = "model dataset prompts least mean p50 p90 p99 most too long counted by"
    assert header.split() == headers.split()
    assert row.split() == ["adder", "sums", "20", "4", "4", "4", "4", "4", "4", "20", "estimate"]


def test_prompt_takes_a_file_of_datasets_only(capsys: pytest.CaptureFixture[str]):
    from tasks.spec.config.bases import PACKAGED_CONFIGS

    path = PACKAGED_CONFIGS / "datasets/demo_choice/demo_choice_gen.py"
    assert main(["prompt", str(path)]) == 0
    assert "any model on demo_choice" in capsys.readouterr().out


def test_check_api_shows_the_answers_of_every_model(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write()
    workspace.server.answer = lambda text: f"heard {text[:20]}"
    assert main(["check-api", str(workspace.config)]) == 0
    shown = capsys.readouterr()
    assert "heard Which number" in shown.out and "1 of 1 models" in shown.err and workspace.server.requests == 3


def test_check_api_fails_where_a_model_does_not_answer(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write()
    workspace.server.decide = lambda call: failed(401)
    assert main(["check-api", str(workspace.config)]) == 1
    assert "0 of 1 models" in capsys.readouterr().err


def test_compare_configs_looks_at_values_not_at_spelling(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    first, second, third = (tmp_path / name for name in ("a.py", "b.py", "c.py"))
    first.write_text("from opencompass.models import OpenAISDK\nmodels = [dict(type=OpenAISDK, abbr='a')]  # x\n")
    second.write_text("models = [dict(abbr='a', type='opencompass.models.OpenAISDK')]\n")
    third.write_text("models = [dict(abbr='b', type='opencompass.models.OpenAISDK')]\n")
    assert main(["compare-configs", str(first), str(second)]) == 0
    assert main(["compare-configs", str(first), str(third)]) == 1
    assert "abbr='b'" in capsys.readouterr().out


def test_compare_configs_of_folders_names_files_of_one_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    for name in ("x/a.py", "y/a.py", "y/b.py"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("value = 1\n")
    assert main(["compare-configs", str(tmp_path / "x"), str(tmp_path / "y")]) == 1
    assert f"only in {tmp_path / 'y'}: b.py" in capsys.readouterr().out


def _opencompass_piece(path: Path, count: int) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    samples = {str(n): {"origin_prompt": f"q{n}", "prediction": str(n)} for n in range(count)}
    path.write_text(json.dumps(samples))


def test_merge_joins_pieces_that_are_complete(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 5})
    folder = workspace.work_dir / "20240101_000000/predictions/adder"
    _opencompass_piece(folder / "sums_0.json", 3)
    assert main(["merge", str(workspace.config)]) == 1
    assert "3 of 5 samples" in capsys.readouterr().err
    _opencompass_piece(folder / "sums_1.json", 2)
    assert main(["merge", str(workspace.config), "--clean"]) == 0
    merged: dict[str, Any] = read_json(folder / "sums.json")
    assert list(merged) == ["0", "1", "2", "3", "4"] and merged["3"]["prediction"] == "0"
    assert [path.name for path in folder.iterdir()] == ["sums.json"]
    assert main(["merge", str(workspace.config)]) == 0


def test_collect_code_writes_one_line_per_program(tmp_path: Path):
    path = tmp_path / "predictions/m/humanevalx-js.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps({"0": {"prediction": "So:\n```js\nlet x = 1\n```\n"}}))
    assert main(["collect-code", str(tmp_path)]) == 0
    [line] = (tmp_path / "humanevalx/m/humanevalx_js.json").read_text().splitlines()
    record = json.loads(line)
    assert record["task_id"] == "JavaScript/0" and record["generation"].strip() == "let x = 1"
    assert main(["collect-code", str(tmp_path / "predictions")]) == 2


def test_migrate_tells_what_files_of_opencompass_are_worth(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    folder = tmp_path / "20240101_000000"
    for name in ("a.json", "b_0.json", "tmp_b.json"):
        _opencompass_piece(folder / "predictions/m" / name, 2)
    (folder / "results/m").mkdir(parents=True)
    (folder / "results/m/a.json").write_text('{"accuracy": 50.0}')
    assert main(["migrate", str(tmp_path)]) == 0
    shown = capsys.readouterr().out
    assert "1 predictions files of OpenCompass" in shown and "2 pieces or checkpoints" in shown
    assert "1 results files of OpenCompass" in shown


def test_migrate_of_a_config_tells_which_classes_stand_in(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write()
    assert main(["migrate", str(workspace.config)]) == 0
    shown = capsys.readouterr().out
    assert "opencompass.models.OpenAISDK is tasks.models.services.openai_chat.OpenAISDK here" in shown
    assert "retry counts the attempts after the first" in shown


def test_prepare_makes_a_folder_that_offline_runs_read_from(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.delenv("COMPASS_DATA_CACHE", raising=False)
    monkeypatch.setenv("HF_HOME", str(tmp_path / "hf"))
    monkeypatch.chdir(tmp_path)
    write_rows(tmp_path / "data/siqa/train.jsonl", [])
    rows = [{"context": "c", "question": "q", "answerA": "x", "answerB": "y", "answerC": "z"}] * 3
    write_rows(tmp_path / "data/siqa/dev.jsonl", rows)
    (tmp_path / "data/siqa/train-labels.lst").write_text("")
    (tmp_path / "data/siqa/dev-labels.lst").write_text("1\n2\n3\n")
    assert main(["prepare", "--datasets", "siqa_gen", "winograd_gen", "--models", "hf_opt_125m", "--into", "kept"]) == 1
    shown = capsys.readouterr()
    assert (
        "siqa: 3 rows" in shown.err
        and "winograd_wsc" in shown.err
        and f"COMPASS_DATA_CACHE={tmp_path}/kept" in shown.out
    )
    assert (tmp_path / "kept/data/siqa/dev.jsonl").is_file()
    assert list(read_json(tmp_path / "kept/prepared.json")["datasets"]) == ["siqa"]


def test_list_shows_way_class_and_backend(capsys: pytest.CaptureFixture[str]):
    assert main(["list", "winograd", "opt_125"]) == 0
    shown = capsys.readouterr().out
    assert "winograd_ppl" in shown and "winogradDataset" in shown and "ppl" in shown
    assert "HuggingFaceBaseModel" in shown and "transformers" in shown and "siqa" not in shown
    assert main(["list", "nothing_like_that"]) == 1


def test_list_knows_the_rows_of_data_that_come_along(capsys: pytest.CaptureFixture[str]):
    assert main(["list", "demo_choice_gen"]) == 0
    [row] = [line for line in capsys.readouterr().out.splitlines() if "demo_choice_gen" in line]
    assert "| 40 " in row
