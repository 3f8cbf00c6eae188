"""The progress line tells how far the run is, and what holds it back."""

from flows.console import progress_line
from tasks.infer.progress import Counters, Snapshot
from tasks.models.limiter import LimiterState

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
