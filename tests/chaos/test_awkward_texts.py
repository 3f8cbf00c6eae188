"""Texts that break lines, encodings and buffers elsewhere survive a kill and come back exactly."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.chaos import Chaos, chance, outcome, recorded
from support.workspace import Workspace, make_workspace

pytestmark = [pytest.mark.slow, pytest.mark.serial]

AWKWARD = {
    "line separator": "one\u2028two\u2029three\x85four",
    "nul": "before\x00after",
    "lone surrogates": "high \ud83d low \ude00 end",
    "breaks": "a\r\nb\x0bc\x0c\n\nd\ttab",
    "one megabyte": "x" * (1 << 20),
    "braces": '{question} {} {0} {{a}} %s $x </E> \\u2028 "quoted"',
    "chinese": "雪花 ❄ \U0001f600",
    "directions": "\u202eright to left\ufeff",
}
PLAIN = 24
NOT_EVEN_UTF_8 = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}


def echo(question: str) -> str:
    return f"{question} indeed"


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    workspace = make_workspace(tmp_path, echo, latency=0.1)
    with workspace.server:
        yield workspace


def write(workspace: Workspace) -> list[str]:
    texts = [*AWKWARD.values(), *(f"plain {number}" for number in range(PLAIN)), *AWKWARD.values()]
    workspace.write({"texts": 0}, max_seq_len=None)
    rows = (json.dumps({"question": text, "answer": echo(text)}) for text in texts)
    (workspace.folder / "texts.jsonl").write_text("".join(f"{row}\n" for row in rows), encoding="ascii")
    return [str(workspace.config), "--inline"]


@pytest.mark.parametrize("environ", [{}, NOT_EVEN_UTF_8], ids=["utf-8", "C"])
def test_questions_and_answers_come_back_exactly(workspace: Workspace, environ: dict[str, str]):
    command, chaos = write(workspace), Chaos(workspace, chance(), environ=environ)
    chaos.run_and_kill(*command)
    chaos.run_and_kill(*command)
    shown = chaos.finish(*command)
    assert "100.00" in shown
    samples = workspace.read("predictions/adder/texts.json").values()
    texts = [sample["origin_prompt"][0]["prompt"] for sample in samples]
    assert texts == [*AWKWARD.values(), *(f"plain {number}" for number in range(PLAIN)), *AWKWARD.values()]
    assert [sample["prediction"] for sample in samples] == [echo(text) for text in texts]
    assert len(recorded(workspace.run_folder)) == len(texts)
    assert workspace.server.requests <= len(texts) + chaos.most_repeated()
    details = outcome(workspace.run_folder)["results/adder/texts.json"]["details"]
    assert len(details) == len(texts)
