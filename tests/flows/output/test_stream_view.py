"""Answers on the terminal while they are streamed."""

import io
import logging

import pytest

from flows.output import stream_view
from flows.output.console import _Terminal
from flows.output.stream_view import StreamView
from tasks.models.model_log import ModelLog


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch):
    """What the terminal shows, with the view attached to the models' log."""
    screen = io.StringIO()
    monkeypatch.setattr(stream_view, "err", _Terminal(file=screen, highlight=False, soft_wrap=True))
    view = StreamView(lambda text: text.replace("sk-secret", "***"))
    logger = logging.getLogger("tasks.models.model_log")
    level = logger.level
    logger.setLevel(logging.INFO)
    logger.addHandler(view)
    yield screen
    logger.removeHandler(view)
    logger.setLevel(level)


def _lines(screen: io.StringIO) -> list[str]:
    return screen.getvalue().splitlines()


def test_reasoning_and_answer_are_told_apart(shown: io.StringIO):
    log = ModelLog("m", verbose=True, rpm_verbose=False)
    for text in ("I add ", "2 and 2.\nDone"):
        log.piece(7, text, is_reasoning=True)
    assert _lines(shown) == ["m, request 7", "reasoning | I add 2 and 2."]
    log.piece(7, "4")
    log.ended(7)
    assert _lines(shown)[2:] == ["reasoning | Done", "   answer | 4"]


def test_one_request_at_a_time(shown: io.StringIO):
    log = ModelLog("m", verbose=True, rpm_verbose=False)
    log.piece(1, "one\n")
    log.piece(2, "two")
    log.ended(2)
    log.piece(3, "three\n")
    assert _lines(shown) == ["m, request 1", "   answer | one"]
    log.ended(1)
    assert _lines(shown)[2:] == ["m, request 2", "   answer | two", "m, request 3", "   answer | three"]


def test_long_lines_are_shown_before_they_end(shown: io.StringIO):
    ModelLog("m", verbose=True, rpm_verbose=False).piece(1, "word " * 50)
    assert len(_lines(shown)) == 3 and all(len(line) <= 115 for line in _lines(shown))


def test_secrets_and_markup_of_the_model_are_no_secrets_and_no_markup(shown: io.StringIO):
    ModelLog("m", verbose=True, rpm_verbose=False).piece(1, "[bold]sk-secret\x1b[2J\n")
    assert _lines(shown)[1].startswith("   answer | [bold]***") and "\x1b[2J" not in shown.getvalue()


def test_nothing_is_shown_without_verbose(shown: io.StringIO):
    ModelLog("m", verbose=False, rpm_verbose=False).piece(1, "text\n")
    assert not _lines(shown)
