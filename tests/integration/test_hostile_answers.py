"""What models answer and what things are called is text: never a path, a command, markup, or orders to a terminal."""

import json
import re
from pathlib import Path

import pytest
from support.fake_backend import add
from support.scripted_server import Call, Turn, failed
from support.workspace import Workspace, make_workspace

pytestmark = pytest.mark.serial

ANSWERS = (
    "\x1b]0;taken over\x07\x1b[2J\x1b[31m9",
    "../../../../tmp/hostile-answer",
    "__import__('pathlib').Path('hostile').touch()",
    "{question.__class__.__mro__} {answer} %s ${HOME} $(touch hostile)",
    "<script>alert(1)</script><img src=x onerror=alert(1)> | [x](javascript:alert(1)) ![x](http://127.0.0.1:9/seen)",
    "[bold red]9[/] [link=file:///etc/passwd]x[/link]",
    "\u202e9\u2066 \x00 \x85 \r\n \ud800",
    "!!python/object/apply:os.system ['touch hostile']",
    "\\input{/etc/passwd} \\boxed{__import__('os').system('touch hostile')}",
)
MODEL = "../../escaped\x1b[31m\n<b>|model"
DATASET = "x" * 300


def hostile(call: Call) -> Turn | None:
    number = int(re.findall(r"\d+", call.last_user)[0])
    if number == len(ANSWERS):
        return failed(400, message=f"no: {ANSWERS[0]} {ANSWERS[4]}")
    return Turn(text=ANSWERS[number % len(ANSWERS)])


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    workspace = make_workspace(tmp_path / "inside" / "user", add, decide=hostile)
    workspace.folder.mkdir(parents=True)
    return workspace


def write(workspace: Workspace) -> None:
    workspace.write({"sums": 12}, verbose=True, extra="\n".join([
        "",
        "infer = dict(fail_on_error=2)",
        f"models[0]['abbr'] = {MODEL!r}",
        f"datasets[0]['abbr'] = {DATASET!r}",
        "from opencompass.utils.text_postprocessors import first_option_postprocess",
        "datasets[0]['eval_cfg']['pred_postprocessor'] = dict(type=first_option_postprocess, options='ABCD')",
    ]))  # fmt: skip


def test_a_run_with_hostile_answers_and_names(workspace: Workspace, tmp_path: Path):
    with workspace.server:
        write(workspace)
        config = str(workspace.config)
        done = [workspace.run(config, "--inline", "--debug", "--report")]
        run = workspace.run_folder.name
        done.append(workspace.run(config, "--inline", "-r", run, "-m", "viz", "--json"))
        done.append(workspace.run("status", str(workspace.run_folder)))
        done.append(workspace.run("cases", str(workspace.run_folder)))
    assert [process.returncode for process in done] == [0] * len(done), "\n".join(p.stderr[-2000:] for p in done)
    printed = "".join(process.stdout + process.stderr for process in done)
    assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", printed)
    assert "Traceback" not in printed

    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert all(path.is_relative_to(workspace.folder) for path in written)
    assert not [path for path in (*written, Path("/tmp/hostile-answer")) if "hostile" in path.name and path.exists()]
    assert all(path.name.isprintable() for path in workspace.folder.rglob("*"))

    [predictions] = workspace.run_folder.glob("predictions/*/*.json")
    records = json.loads(predictions.read_bytes())
    assert [records[str(number)]["prediction"] for number in range(len(ANSWERS))] == list(ANSWERS)
    for page in workspace.run_folder.glob("summary/*.md"):
        assert not re.search(r"(?<!\\)<\w", page.read_text())
