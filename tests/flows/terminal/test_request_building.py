"""What the options of the command line mean."""

import re
from pathlib import Path

import pytest

from flows.terminal.cli import build_parser, main
from flows.terminal.request_building import request_of
from tasks.plan.request import RunRequest
from tasks.spec.findings import UserError


def request(*argv: str) -> RunRequest:
    return request_of(build_parser("compass").parse_args(argv))


def test_prefixes_of_long_options_are_accepted():
    assert request("--max-num-worker", "4", "my.py").max_num_workers == 4


def test_a_blank_config_is_none():
    assert request(" ", "--models", "a", "--datasets", "b").config is None


def test_everything_about_a_hugging_face_model():
    hf = request(
        "--hf-path", "org/m", "--hf-type", "base", "--hf-num-gpus", "2", "--model-kwargs", "trust_remote_code=true",
        "--model-kwargs", "device_map=auto", "--generation-kwargs", "temperature=0.5", "stop=[a,b]", "--min-out-len",
        "3", "--stop-words", "x", "y", "--datasets", "d",
    ).hf  # fmt: skip
    assert hf is not None
    assert (hf.path, hf.type, hf.num_gpus, hf.min_out_len, hf.stop_words) == ("org/m", "base", 2, 3, ("x", "y"))
    assert hf.model_kwargs == {"trust_remote_code": True, "device_map": "auto"}
    assert hf.generation_kwargs == {"temperature": 0.5, "stop": ["a", "b"]}


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["--batch-size", "4", "--models", "m"], "--batch-size would have no effect without --hf-path"),
        (["--hf-type", "base"], "--hf-type would have no effect without --hf-path"),
        (["--custom-dataset-data-type", "qa"], "--custom-dataset-data-type would have no effect without"),
        (["--hf-path", "m", "--model-kwargs", "x"], "--model-kwargs: 'x' is not KEY=VALUE"),
    ],
)
def test_options_that_need_another_one_say_which(argv: list[str], told: str):
    with pytest.raises(UserError, match=told):
        request(*argv)


@pytest.mark.parametrize(
    ("argv", "told"),
    [
        (["--num-gpus", "2"], "--hf-num-gpus"),
        (["--slurm", "--dlc"], "not allowed with"),
        (["--fail-on-error", "nan"], "not a number of errors"),
        (["--mode", "both"], "invalid choice"),
        (["--limit", "few"], "'few' is not a whole number"),
        (["--max-cost", "much"], "'much' is not a number"),
        (["my.py", "--dataset-num-run=2", "--worker", "3"], "unrecognized arguments: --worker 3"),
        (["my.py", "--modl", "m"], "unrecognized arguments: --modl m; did you mean '--models'"),
        (["my.py", "--foo", "--dry-run"], "unrecognized arguments: --foo\n"),
    ],
)
def test_what_the_parser_refuses(argv: list[str], told: str, capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as left:
        main(argv)
    assert left.value.code == 2
    assert told in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "told"), [("prediction_merger", "compass merge"), ("tools/prompt_viewer.py", "compass prompt")]
)
def test_tools_of_opencompass_lead_to_ours(word: str, told: str, capsys: pytest.CaptureFixture[str]):
    assert main([word]) == 2
    assert told in capsys.readouterr().err


def test_help_shows_the_most_used_options_first(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit):
        main(["--help"])
    shown = capsys.readouterr().out
    groups = shown[shown.lower().index("most used:") :]
    places = [
        groups.index(word) for word in ("--models", "--datasets", "--reuse", "--dry-run", "--summarizer", "--slurm")
    ]
    assert places == sorted(places)
    assert "--num-gpus" not in shown


def test_the_version_is_told(capsys: pytest.CaptureFixture[str]):
    with pytest.raises(SystemExit) as left:
        main(["--version"])
    assert left.value.code == 0
    assert re.fullmatch(r"compass (\d+\.\d+.*|of a checkout .*)\n", capsys.readouterr().out)


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("statu", "did you mean 'status' or 'station'?"),
        ("help", "`compass --help` shows the commands"),
        ("my_evla.py", "did you mean 'my_eval.py'?"),
    ],
)
def test_a_mistyped_command_or_file_is_told_with_what_is_near(
    word: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.chdir(tmp_path)
    Path("my_eval.py").touch()
    assert main([word]) == 2
    assert told in capsys.readouterr().err
