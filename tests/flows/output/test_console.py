"""The progress line tells how far the run is, and what holds it back."""

import io
import re
import threading
from typing import cast

import pytest

from flows.output import console
from flows.output.console import progress_line
from tasks.infer.progress import Counters, Progress, Snapshot
from tasks.models.http.limiter import LimiterState

COUNTERS = Counters(done=40, reused=10, errors=2, prompt_tokens=1200, completion_tokens=300)


def test_samples_rate_tokens_reused_errors_and_time_left():
    assert progress_line(Snapshot(100, COUNTERS, 10.0)) == (
        "40/100 samples  3.0/s  1.50 k tokens  10 reused  2 errors  0:00:20 left"
    )


def test_retries_window_and_pause_of_the_endpoint():
    line = progress_line(Snapshot(100, COUNTERS, 10.0, [LimiterState("api:443", 8, 11.2, 7)]))
    assert "2 errors  7 retries  at most 8 in flight, paused for 12 s  0:00:20 left" in line


def test_several_endpoints_are_told_apart_and_silent_while_all_is_well():
    states = [LimiterState("one", None, 0.0, 0), LimiterState("two", 1, 0.0, 3)]
    line = progress_line(Snapshot(100, COUNTERS, 10.0, states))
    assert "3 retries  two at most 1 in flight" in line and "one" not in line


class Running:
    """A run of which 40 samples are done."""

    def __init__(self) -> None:
        self.looks = threading.Semaphore(0)

    def snapshot(self) -> Snapshot:
        self.looks.release()
        return Snapshot(100, COUNTERS, 10.0)


@pytest.mark.parametrize(("width", "told"), [(120, "0:00:20 left"), (80, "0:00:20 left"), (40, "40/100 samples")])
def test_narrow_terminals_show_numbers_rather_than_a_bar(width: int, told: str, monkeypatch: pytest.MonkeyPatch):
    shown = io.StringIO()
    monkeypatch.setattr(console, "err", console._Terminal(file=shown, force_terminal=True, width=width, _environ={}))
    run = Running()
    with console.show_progress(cast(Progress, run)):
        assert run.looks.acquire(timeout=60) and run.looks.acquire(timeout=60)
    frames = re.split(r"[\r\n]", re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", shown.getvalue()))
    frame = next(frame for frame in frames if "samples" in frame)
    assert told in frame and "infer" in frame and ("━" in frame) == (width >= 100)
