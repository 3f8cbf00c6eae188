"""Shares of prompts and instructions that are followed."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.repository import ROOT

from tasks.score.benchmarks.ifeval.evaluator import IFEvaluator

_NO_COMMA, _QUOTES, _TITLE = "punctuation:no_comma", "startend:quotation", "detectable_format:title"


def _row(*ids: str) -> dict[str, Any]:
    return {"key": 1, "prompt": "p", "instruction_id_list": list(ids), "kwargs": [{} for _ in ids]}


def test_shares_and_grades() -> None:
    rows = [_row(_NO_COMMA), _row(_NO_COMMA, _QUOTES), _row(_QUOTES, _TITLE, _NO_COMMA)]
    answers = ["fine", 'Here you are:\n"fine"', "no, not at all"]
    result = IFEvaluator().score(predictions=answers, references=rows)
    details = result.pop("details")
    assert result == {
        "Prompt-level-strict-accuracy": 100 / 3,
        "Inst-level-strict-accuracy": 100 * 2 / 6,
        "Prompt-level-loose-accuracy": 200 / 3,
        "Inst-level-loose-accuracy": 100 * 3 / 6,
    }
    assert [detail["grade"] for detail in details] == ["strict", "loose", "none"]
    assert [detail["is_correct"] for detail in details] == [True, False, False]
    assert details[1]["strict"] == [True, False] and details[1]["loose"] == [True, True]


def test_reasoning_is_not_part_of_the_response() -> None:
    row = _row(_NO_COMMA)
    answers = ["<think>well, yes</think>fine", "well, yes</think>\nfine", "<think>fine"]
    details = IFEvaluator().score(predictions=answers, references=[row] * 3)["details"]
    assert [detail["is_correct"] for detail in details] == [True, True, False]


_OFFLINE = """
import socket

def refuse(*_, **__):
    raise AssertionError("the network is asked for")

socket.socket.connect = socket.getaddrinfo = refuse
from tasks.score.benchmarks.ifeval.text_units import capital_words, language_of, sentences

assert len(sentences("Dr. Who came. He left.")) == 2
assert capital_words("NASA said: I'M here.") == 3
assert {language_of("Das ist nun wirklich ein deutscher Satz.") for _ in range(20)} == {"de"}
"""


def test_nothing_is_downloaded(tmp_path: Path) -> None:
    """Models of sentences, words and languages are part of the packages."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, "-c", _OFFLINE], check=True, cwd=tmp_path, env=environ)
    assert list(tmp_path.iterdir()) == []
