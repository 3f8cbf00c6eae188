"""Pauses between attempts are bounded and differ, so that requests do not come back all at one moment."""

import asyncio
import time
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tenacity import Future, RetryCallState

from tasks.models.http.failures import AttemptFailed, FailureKind
from tasks.models.http.limiter import EndpointLimiter
from tasks.models.http.retries import _wait

pytestmark = pytest.mark.usefixtures("real_back_off")


def pauses(attempt: int, failure: AttemptFailed) -> list[float]:
    outcome = Future(attempt)
    outcome.set_exception(failure)
    state = cast(RetryCallState, cast(Any, SimpleNamespace(attempt_number=attempt, outcome=outcome)))
    return [_wait(state) for _ in range(50)]


@pytest.mark.parametrize(("attempt", "least"), [(1, 0.5), (2, 1), (3, 2), (6, 16), (8, 60), (40, 60)])
@pytest.mark.parametrize("kind", [FailureKind.SERVER, FailureKind.CONNECTION, FailureKind.THROTTLED])
def test_they_double_up_to_a_minute_and_are_spread(attempt: int, least: float, kind: FailureKind) -> None:
    found = pauses(attempt, AttemptFailed(kind, "failed"))
    assert all(least <= pause <= least + 0.5 for pause in found)
    assert len(set(found)) > 40


def test_after_a_pause_that_the_service_asked_for_they_only_spread() -> None:
    found = pauses(5, AttemptFailed(FailureKind.THROTTLED, "failed", retry_after=30))
    assert all(0 <= pause <= 0.1 for pause in found)
    assert len(set(found)) > 40


def test_no_service_stops_a_run_for_more_than_an_hour() -> None:
    async def scenario() -> float:
        limiter = EndpointLimiter()
        limiter.throttled(await limiter.enter(None), 10.0**9)
        return limiter.paused_until - time.monotonic()

    assert 3590 < asyncio.run(scenario()) <= 3600
