"""The tutorial's configuration, word for word, against a server on this machine."""

import json
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.scripted_server import ScriptedServer
from support.workspace import Workspace

from flows.evaluate import evaluate
from flows.local_server.start import stop_own_server
from flows.local_server.state import server_files
from tasks.spec.storage.run_folder import run_names

MY_EVAL = Path(__file__).parents[1] / "data" / "my_eval.py"
CHAT_MODEL = """
from opencompass.models import OpenAISDK
models = [dict(type=OpenAISDK, abbr='chat', path='served-name', key='ENV', max_out_len=64, max_workers=8, batch_size=8)]
"""


@pytest.fixture
def tutorial(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workspace]:
    """A folder with my_eval.py and small data in GSM8K's form; half of the answers are right."""
    rows = [{"question": f"Question {n}: what is {n} times 3?", "answer": f"{n} * 3\n#### {n * 3}"} for n in range(70)]
    for split in ("train", "test"):
        path = tmp_path / "data" / "gsm8k" / f"{split}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    shutil.copy(MY_EVAL, tmp_path / "my_eval.py")
    with ScriptedServer(_answer) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        monkeypatch.setenv("OPENAI_API_KEY", "tutorial-key-canary")
        monkeypatch.chdir(tmp_path)
        yield Workspace(tmp_path, server)


def _answer(prompt: str) -> str:
    number = int(re.findall(r"Question (\d+):", prompt)[-1])
    return f"It is {number * 3 + number % 2}. The answer is {number * 3 + number % 2}."


def runs(tutorial: Workspace) -> list[Path]:
    work_dir = tutorial.folder / "outputs" / "my_eval"
    return [work_dir / name for name in run_names(work_dir)]


def test_the_steps_of_the_tutorial(tutorial: Workspace):
    dry = tutorial.run("my_eval.py", "--dry-run", "--config-verbose")
    assert dry.returncode == 0, dry.stderr
    assert "OpenICLInferConcurrent[gpt-6-astra/demo_gsm8k]" in dry.stdout and "64" in dry.stdout
    assert not (tutorial.folder / "outputs").exists()

    full = tutorial.run("my_eval.py", "--work-dir", "outputs/my_eval", "--inline")
    assert full.returncode == 0, full.stderr
    assert re.search(r"All Results\s+-", full.stdout)
    assert re.search(r"demo_gsm8k\s+[0-9a-f]{6}\s+accuracy\s+gen\s+50\.00", full.stdout)
    assert {call.path for call in tutorial.server.calls} == {"/v1/responses"} and tutorial.server.requests == 64
    (run,) = runs(tutorial)
    assert {"configs", "logs", "predictions", "results", "summary", "run.json"} <= {path.name for path in run.iterdir()}

    again = tutorial.run("my_eval.py", "--work-dir", "outputs/my_eval", "--reuse", "--inline")
    assert again.returncode == 0 and tutorial.server.requests == 64
    for mode in ("eval", "viz"):
        stage = tutorial.run("my_eval.py", "-w", "outputs/my_eval", "--reuse", run.name, "--mode", mode, "--inline")
        assert stage.returncode == 0, stage.stderr
    assert runs(tutorial) == [run] and tutorial.server.requests == 64


def test_the_same_with_chat_completions(tutorial: Workspace):
    text = (tutorial.folder / "my_eval.py").read_text()
    (tutorial.folder / "my_chat.py").write_text(text.replace("models = gpt6_astra_models", CHAT_MODEL))
    done = tutorial.run("my_chat.py", "--debug", "--inline")
    assert done.returncode == 0, done.stderr
    assert re.search(r"accuracy\s+gen\s+50\.00", done.stdout)
    body = tutorial.server.calls[0].body
    assert tutorial.server.calls[0].path == "/v1/chat/completions"
    assert body["messages"][-1]["role"] == "user" and "temperature" not in body


def test_the_key_is_written_nowhere(tutorial: Workspace):
    done = tutorial.run("my_eval.py", "--inline", "--config-verbose")
    assert tutorial.server.calls[0].key == "tutorial-key-canary"
    written = [path for path in tutorial.folder.rglob("*") if path.is_file() and b"key-canary" in path.read_bytes()]
    assert written == [] and "key-canary" not in done.stdout + done.stderr


def test_a_saved_configuration_runs_again(tutorial: Workspace):
    assert tutorial.run("my_eval.py", "--inline").returncode == 0
    (saved,) = (runs(tutorial)[0] / "configs").iterdir()
    done = tutorial.run(str(saved), "--inline", "--reuse")
    assert done.returncode == 0, done.stderr
    assert tutorial.server.requests == 64


def test_the_same_from_python(tutorial: Workspace):
    evaluation = evaluate("my_eval.py", limit=8, progress=False)
    assert evaluation.failures == {}
    assert [row["gpt-6-astra"] for row in evaluation.table] == ["-", "-", "50.00"]
    assert (evaluation.folder / "predictions/gpt-6-astra/demo_gsm8k.json").exists()


@pytest.mark.slow
def test_the_same_with_prefect(tutorial: Workspace):
    environ = {"COMPASS_STATE_DIR": str(tutorial.folder / "state")}
    try:
        done = tutorial.run("my_eval.py", environ=environ)
    finally:
        stop_own_server(server_files(environ))
    assert done.returncode == 0, done.stderr
    assert re.search(r"accuracy\s+gen\s+50\.00", done.stdout)
