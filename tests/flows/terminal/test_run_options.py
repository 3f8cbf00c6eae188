"""Options that change what a run asks and shows."""

import json
import socket
from pathlib import Path

import pytest
from support.scripted_server import failed
from support.workspace import Workspace

from flows.terminal.cli import main
from tasks.data.offline import go_offline


def test_json_is_all_that_stands_on_stdout(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 4})
    assert main([str(workspace.config), "--inline", "--json"]) == 0
    outcome = json.loads(capsys.readouterr().out)
    assert outcome["run_folder"] == str(workspace.run_folder) and outcome["exit_status"] == 0
    [pair] = outcome["pairs"]
    assert pair["metrics"] == {"accuracy": 100.0} and pair["samples"]["n"] == 4 and pair["failure"] is None
    assert Path(outcome["summary"]["text"]).is_file()


def test_json_tells_tokens_and_dollars_of_each_pair_and_of_the_run(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
):
    priced = "models[0]['prices'] = dict(input=3, output=15)\n"
    workspace.write({"sums": 4, "more": 2}, extra=priced)
    assert main([str(workspace.config), "--dry-run", "--json"]) == 0
    planned = json.loads(capsys.readouterr().out)["pairs"]
    assert main([str(workspace.config), "--inline", "--json"]) == 0
    outcome = json.loads(capsys.readouterr().out)
    spent = [pair["spent"] for pair in outcome["pairs"]]
    assert all(one["prompt_tokens"] and one["completion_tokens"] for one in spent)
    assert all(
        one["dollars"] == pytest.approx(one["prompt_tokens"] * 3e-6 + one["completion_tokens"] * 15e-6) for one in spent
    )
    for name in ("prompt_tokens", "completion_tokens", "dollars"):
        assert outcome["spent"][name] == pytest.approx(sum(one[name] for one in spent))
    assert all(plan["most_dollars"] > one["dollars"] for plan, one in zip(planned, spent, strict=True))


def test_json_of_a_failure_and_of_a_dry_run(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 4})
    workspace.server.decide = lambda call: failed(500)
    assert main([str(workspace.config), "--inline", "--json"]) == 1
    assert "no answer" in json.loads(capsys.readouterr().out)["pairs"][0]["failure"]
    assert main([str(workspace.config), "--dry-run", "--json"]) == 0
    plan = json.loads(capsys.readouterr().out)
    assert plan["infer"] == ["OpenICLInfer[adder/sums]"] and plan["pairs"][0]["requests"] == 4


def test_json_of_input_that_cannot_be_used(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 1}, extra="models[0]['temprature'] = 1\n")
    assert main([str(workspace.config), "--inline", "--json"]) == 2
    [finding] = json.loads(capsys.readouterr().out)["findings"]
    assert finding["key"] == "models[0].temprature" and finding["kind"] == "config"
    assert finding["file"] == str(workspace.config) and finding["line"] > 0 and "temperature" in finding["remedy"]


def test_preflight_asks_one_sample_per_pair_and_shows_its_way(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 10, "more": 10})
    workspace.server.answer = lambda text: "1"
    assert main([str(workspace.config), "--preflight"]) == 0
    shown = capsys.readouterr()
    assert "What is 0 + 1?" in shown.out and "answer: 1" in shown.out and "verdict: right" in shown.out
    assert "2 of 2 pairs work" in shown.err and workspace.server.requests == 2
    assert not workspace.work_dir.exists()


def test_preflight_of_a_model_that_does_not_answer(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 10})
    workspace.server.decide = lambda call: failed(404)
    assert main([str(workspace.config), "--preflight"]) == 1
    assert "failed:" in capsys.readouterr().out


def test_prompts_can_be_written_instead_of_asked(workspace: Workspace):
    workspace.write({"sums": 3})
    folder = workspace.folder / "prompts"
    assert main([str(workspace.config), "--dump-only-message-path", str(folder)]) == 0
    lines = [json.loads(line) for line in (folder / "adder/sums.jsonl").read_text().splitlines()]
    assert [line["index"] for line in lines] == [0, 1, 2]
    assert lines[2]["prompt"] == [{"role": "HUMAN", "prompt": "What is 2 + 3?"}]
    assert workspace.server.requests == 0


def test_a_cache_answers_for_all_runs(workspace: Workspace):
    workspace.write({"sums": 6})
    cache = str(workspace.folder / "cache")
    assert main([str(workspace.config), "--inline", "--cache", cache, "--limit", "4"]) == 0
    assert main([str(workspace.config), "--inline", "--cache", cache]) == 0
    assert workspace.server.requests == 6
    assert workspace.read("results/adder/sums.json")["accuracy"] == 100.0
    assert len(workspace.read("predictions/adder/sums.json")) == 6


def test_a_cache_does_not_answer_for_another_endpoint_or_model(workspace: Workspace):
    workspace.write({"sums": 3})
    cache = str(workspace.folder / "cache")
    main([str(workspace.config), "--inline", "--cache", cache])
    moved = f"models.0.openai_api_base={workspace.server.url}/."
    main([str(workspace.config), "--inline", "--cache", cache, "--set", moved, "--fail-on-error", "1000"])
    assert workspace.server.requests > 3
    before = workspace.server.requests
    main([str(workspace.config), "--inline", "--cache", cache, "--set", "models.0.temperature=0.5"])
    assert workspace.server.requests == before + 3


def test_a_length_range_asks_only_prompts_of_that_length(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 12})
    data = workspace.folder / "sums.jsonl"
    rows = [json.loads(line) for line in data.read_text().splitlines()]
    rows[5]["question"] += " Think of it as apples."
    data.write_text("".join(json.dumps(row) + "\n" for row in rows))
    workspace.server.answer = lambda text: "11"
    assert main([str(workspace.config), "--inline", "--length-range", "5:"]) == 0
    assert workspace.server.requests == 1
    predictions = workspace.read("predictions/adder/sums.json")
    assert list(predictions) == ["0"] and "apples" in predictions["0"]["origin_prompt"][0]["prompt"]
    assert workspace.read("results/adder/sums.json")["compass"]["samples"]["n"] == 1
    assert main([str(workspace.config), "--inline", "--length-range", ":4", "-r"]) == 0
    assert workspace.server.requests == 12
    assert main([str(workspace.config), "--inline", "--length-range", "500:"]) == 0
    assert "no prompt of sums" in capsys.readouterr().err


def test_an_offline_run_names_at_once_what_is_missing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_EVALUATE_OFFLINE", "TRANSFORMERS_OFFLINE"):
        monkeypatch.setenv(name, "0")
    monkeypatch.setenv("HF_HOME", str(workspace.folder / "empty"))
    monkeypatch.delenv("COMPASS_DATA_CACHE", raising=False)
    monkeypatch.chdir(workspace.folder)

    def no_network(*_: object, **__: object) -> None:
        raise AssertionError("the network was asked")

    monkeypatch.setattr(socket, "getaddrinfo", no_network)
    monkeypatch.setenv("OPENAI_API_KEY", "EMPTY")
    arguments = ["--models", "openai_compatible", "--datasets", "gsm8k_gen", "--inline", "--offline"]
    assert main(arguments) == 2
    assert "HF_HUB_OFFLINE is set" in capsys.readouterr().err


def test_going_offline_tells_all_libraries(monkeypatch: pytest.MonkeyPatch):
    import os

    monkeypatch.setenv("TRANSFORMERS_OFFLINE", "0")
    monkeypatch.setenv("HF_HUB_OFFLINE", "0")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "0")
    monkeypatch.setenv("HF_EVALUATE_OFFLINE", "0")
    go_offline()
    assert os.environ["TRANSFORMERS_OFFLINE"] == os.environ["HF_HUB_OFFLINE"] == "1"


def test_prefer_opencompass_needs_the_package(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write()
    assert main([str(workspace.config), "--inline", "--prefer", "opencompass"]) == 2
    assert "pip install opencompass" in capsys.readouterr().err


def test_own_data_from_the_command_line_runs_to_its_score(workspace: Workspace):
    workspace.write({"mine": 5})
    (workspace.folder / "models").mkdir()
    (workspace.folder / "models/adder.py").write_text(
        "models = [dict(type='OpenAISDK', abbr='adder', path='adder', key='EMPTY', "
        f"openai_api_base={workspace.server.url!r})]\n"
    )
    arguments = ["--models", "adder", "--config-dir", str(workspace.folder), "--inline", "-w", str(workspace.work_dir)]
    data = ["--custom-dataset-path", str(workspace.folder / "mine.jsonl"), "--custom-dataset-data-type", "qa"]
    assert main([*arguments, *data]) == 0
    assert workspace.read("results/adder/mine.json")["accuracy"] == 100.0
    assert main([*arguments, *data, "--dataset-num-runs", "2"]) == 0
    assert len(workspace.read("predictions/adder/mine.json")) == 10


def test_the_command_to_go_on_repeats_what_was_asked(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 4})
    workspace.server.decide = lambda call: failed(500)
    config = str(workspace.config)
    assert main([config, "--inline", "--set", "models.0.retry=0", "--limit", "2", "--length-range", "1:"]) == 1
    [line] = [line for line in capsys.readouterr().err.splitlines() if line.startswith("to go on")]
    run = workspace.run_folder.name
    assert line.endswith(f"compass {config} --set models.0.retry=0 --limit 2 --length-range 1: --inline --reuse {run}")


def test_a_run_says_whose_classes_win_where_opencompass_is_installed(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    workspace.write({"sums": 1})
    (workspace.folder / "site/opencompass").mkdir(parents=True)
    (workspace.folder / "site/opencompass/__init__.py").touch()
    monkeypatch.syspath_prepend(str(workspace.folder / "site"))
    assert main([str(workspace.config), "--inline", "--no-progress"]) == 0
    assert "Compass's own, and OpenCompass's where there are none" in capsys.readouterr().err


def test_a_budget_ends_the_run_cleanly_and_the_next_goes_on(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 10})
    assert main([str(workspace.config), "--inline", "--max-samples", "4"]) == 1
    told = capsys.readouterr().err
    assert "budget reached: max_samples=4; 6 of 10 samples are left" in told and "to go on:" in told
    assert workspace.server.requests == 4
    assert main([str(workspace.config), "--inline", "-r"]) == 0
    assert workspace.server.requests == 10


def test_infer_can_set_budgets_and_flags_win(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 6}, extra="infer = dict(max_samples=2, max_cost=1)\n")
    assert main([str(workspace.config), "--inline"]) == 1
    told = capsys.readouterr().err
    assert "max_samples=2" in told and "max_cost does not count adder, which has no prices" in told
    assert main([str(workspace.config), "--inline", "--max-samples", "100"]) == 0


def test_infer_can_ask_for_the_preflight(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 10}, extra="infer = dict(preflight=True)\n")
    assert main([str(workspace.config), "--inline"]) == 0
    assert "1 of 1 pairs work" in capsys.readouterr().err and workspace.server.requests == 1


def test_a_file_of_choices_in_all_orders(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    row = {"question": "which?", "A": "no", "B": "yes", "C": "never", "answer": "B"}
    quiz = workspace.folder / "quiz.jsonl"
    quiz.write_text(json.dumps(row))
    workspace.server.answer = lambda text: "B"
    extra = f"datasets = [dict(path={str(quiz)!r}, data_type='circular-mcq')]\n"
    workspace.write({}, extra=extra)
    assert main([str(workspace.config), "--inline"]) == 0
    shown = capsys.readouterr().out
    assert "perf_circular" in shown and "acc_origin" in shown and workspace.server.requests == 3


@pytest.mark.parametrize("below", ["", "/deeper/still"])
def test_a_file_where_runs_are_to_be_written_is_bad_input(
    below: str, workspace: Workspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write({"sums": 1})
    (workspace.folder / "taken").touch()
    assert main([str(workspace.config), "--inline", "-w", f"{workspace.folder}/taken{below}"]) == 2
    assert "a part of this path is a file\n  name another folder" in capsys.readouterr().err
