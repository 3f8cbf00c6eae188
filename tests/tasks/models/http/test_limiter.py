"""An endpoint's answer "too many" slows everyone down who asks there, and nobody else."""

import asyncio
import random
import time

import pytest

from tasks.models.http.limiter import EndpointLimiter, Rate


async def _fill(limiter: EndpointLimiter, count: int) -> int:
    rounds = [await limiter.enter(None) for _ in range(count)]
    return rounds[-1]


async def _blocked(limiter: EndpointLimiter) -> bool:
    """Whether one more request has to wait; gives its place back if it has not."""
    waiting = asyncio.ensure_future(limiter.enter(None))
    await asyncio.sleep(0.02)
    if waiting.done():
        limiter.leave()
        return False
    waiting.cancel()
    await asyncio.gather(waiting, return_exceptions=True)
    return True


def test_no_window_until_the_endpoint_complains() -> None:
    async def scenario() -> None:
        limiter = EndpointLimiter()
        await _fill(limiter, 500)
        assert limiter.window is None
        assert limiter.in_flight == 500

    asyncio.run(scenario())


def test_window_halves_once_per_round_of_requests() -> None:
    async def scenario() -> None:
        limiter = EndpointLimiter()
        sent = await _fill(limiter, 16)
        for _ in range(16):
            limiter.throttled(sent, None)
        for _ in range(16):
            limiter.leave()
        assert limiter.window == 8
        later = await _fill(limiter, 8)
        assert await _blocked(limiter)
        limiter.throttled(later, None)
        assert limiter.window == 8
        limiter.throttled(later, None)
        assert limiter.window == 4

    asyncio.run(scenario())


@pytest.mark.parametrize(("refused", "shrinks"), [(0.05, False), (0.5, True)])
def test_a_service_that_refuses_now_and_then_is_asked_as_fast_as_before(refused: float, shrinks: bool) -> None:
    async def scenario() -> None:
        limiter, chance = EndpointLimiter(), random.Random(1)
        sent = await _fill(limiter, 64)
        for _ in range(5000):
            if chance.random() < refused:
                limiter.throttled(sent, None)
            else:
                limiter.answered()
        assert (limiter.window is not None) is shrinks

    asyncio.run(scenario())


def test_window_never_falls_below_one_and_grows_again_with_answers() -> None:
    async def scenario() -> None:
        limiter = EndpointLimiter()
        for _ in range(5):
            limiter.throttled(await limiter.enter(None), None)
            limiter.leave()
        assert limiter.window == 1
        for _ in range(10):
            await _fill(limiter, int(limiter.window))
            for _ in range(limiter.in_flight):
                limiter.answered()
                limiter.leave()
        assert 4 <= limiter.window < 12

    asyncio.run(scenario())


def test_retry_after_pauses_everyone_and_then_all_go_on() -> None:
    async def scenario() -> None:
        limiter = EndpointLimiter()
        sent = await _fill(limiter, 4)
        limiter.throttled(sent, 0.2)
        start = time.monotonic()
        for _ in range(4):
            limiter.leave()
        assert limiter.is_paused
        await asyncio.gather(*[_pass(limiter, None) for _ in range(6)])
        assert time.monotonic() - start >= 0.19

    asyncio.run(scenario())


def test_a_cancelled_request_does_not_take_the_place_of_another() -> None:
    async def scenario() -> None:
        limiter = EndpointLimiter()
        sent = await limiter.enter(None)
        limiter.throttled(sent, None)
        limiter.throttled(sent, None)
        waiting = [asyncio.ensure_future(limiter.enter(None)) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        limiter.leave()
        waiting[1].cancel()
        await asyncio.wait_for(waiting[2], 5)

    asyncio.run(scenario())


@pytest.mark.parametrize(("per_second", "seconds", "most"), [(20, 0.5, 11), (2000, 0.2, 480), (0.5, 0.1, 1)])
def test_rate_is_never_exceeded(per_second: float, seconds: float, most: int) -> None:
    async def scenario() -> int:
        rate, taken, end = Rate(per_second), 0, time.monotonic() + seconds
        try:
            while time.monotonic() < end:
                await asyncio.wait_for(rate.take(1), end - time.monotonic())
                taken += 1
        except TimeoutError:
            pass
        return taken

    assert 1 <= asyncio.run(scenario()) <= most


def test_permits_are_not_saved_up_during_a_pause() -> None:
    async def scenario() -> None:
        limiter, rate, sent = EndpointLimiter(), Rate(10), list[float]()
        limiter.throttled(0, 0.5)

        async def one() -> None:
            await limiter.enter(rate)
            sent.append(time.monotonic())
            limiter.leave()

        await asyncio.gather(*[one() for _ in range(3)])
        assert sent[-1] - sent[0] >= 0.15

    asyncio.run(scenario())


async def _pass(limiter: EndpointLimiter, rate: Rate | None) -> None:
    await limiter.enter(rate)
    limiter.leave()
