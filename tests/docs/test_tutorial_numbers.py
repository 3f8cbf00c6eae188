"""The numbers of the tutorial are those that its steps give with the real questions and published answers to them."""

import gzip
import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.documents import blocks_of
from support.page_runner import PageRunner
from support.scripted_server import ScriptedServer
from support.shared_data import shared_data

PUBLISHED = "175b_verification"
"""Which of the models whose answers OpenAI published."""


@pytest.fixture
def service() -> Iterator[ScriptedServer]:
    path = shared_data("model_outputs/gsm8k_openai/example_model_solutions.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    answers = {row["question"]: row[PUBLISHED]["solution"] for row in rows}
    with ScriptedServer(
        lambda prompt: next(text for question, text in answers.items() if question in prompt)
    ) as server:
        yield server


def test_the_numbers_of_the_tutorial(
    service: ScriptedServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(shared_data("gsm8k"), tmp_path / "data/gsm8k")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COMPASS_DATA_CACHE", raising=False)
    for name, value in {"BASE_URL": service.url, "API_KEY": "x", "MODEL": "gpt-x"}.items():
        monkeypatch.setenv(f"OPENAI_{name}", value)

    def printed() -> str:
        shown = capsys.readouterr()
        return shown.out + shown.err

    reader = PageRunner(tmp_path, monkeypatch, printed, {}, exact=True)
    for block in blocks_of("docs/tutorial.md"):
        reader.take(block)
