"""Answers come as they arrive, slots are shared fairly, and nothing is left behind."""

import asyncio
from collections.abc import AsyncIterator

import pytest

from tasks.models.answering import answer_all, wait_for_next_attempt
from tasks.models.interface import Request


async def _requests(*prompts: str) -> AsyncIterator[Request]:
    for index, prompt in enumerate(prompts):
        yield Request(index, prompt)


async def _sleepy(request: Request) -> str:
    await asyncio.sleep(float(str(request.prompt)))
    return f"slept {request.prompt}"


def test_answers_arrive_in_their_own_order() -> None:
    async def scenario() -> list[int]:
        stream = answer_all(_sleepy, _requests("0.06", "0.01", "0.03"), asyncio.Semaphore(3))
        return [index async for index, _ in stream]

    assert asyncio.run(scenario()) == [1, 2, 0]


def test_no_slot_is_held_while_the_next_request_is_awaited() -> None:
    """A later round of a dialogue enters the stream when the earlier one is answered, with a single slot too."""

    async def scenario() -> list[str]:
        answered, slots = asyncio.Event(), asyncio.Semaphore(1)

        async def dialogue() -> AsyncIterator[Request]:
            yield Request(0, "0")
            await answered.wait()
            assert not slots.locked()
            yield Request(1, "0")

        answers: list[str] = []
        async for _, answer in answer_all(_sleepy, dialogue(), slots):
            answers.append(answer)
            answered.set()
        return answers

    assert asyncio.run(scenario()) == ["slept 0", "slept 0"]


def test_two_streams_share_the_slots() -> None:
    async def scenario() -> int:
        slots, open_now, peak = asyncio.Semaphore(3), 0, 0

        async def answer(request: Request) -> None:
            nonlocal open_now, peak
            open_now += 1
            peak = max(peak, open_now)
            await asyncio.sleep(0.005)
            open_now -= 1

        async def drain() -> None:
            async for _ in answer_all(answer, _requests(*"abcdefgh"), slots):
                pass

        await asyncio.gather(drain(), drain())
        return peak

    assert asyncio.run(scenario()) == 3


def test_leaving_early_cancels_the_rest_and_frees_every_slot() -> None:
    async def scenario() -> None:
        slots = asyncio.Semaphore(4)
        stream = answer_all(_sleepy, _requests("0", *["600"] * 20), slots)
        async for _ in stream:
            break
        await stream.aclose()  # type: ignore[attr-defined]
        for _ in range(4):
            await asyncio.wait_for(slots.acquire(), 1)

    asyncio.run(scenario())


def test_errors_of_the_request_stream_reach_the_consumer() -> None:
    async def broken() -> AsyncIterator[Request]:
        yield Request(0, "0")
        raise ValueError("no more")

    async def scenario() -> None:
        async for _ in answer_all(_sleepy, broken(), asyncio.Semaphore(2)):
            pass

    with pytest.raises(ValueError, match="no more"):
        asyncio.run(scenario())


def test_a_request_between_two_attempts_leaves_its_slot_to_another() -> None:
    async def scenario() -> tuple[list[int], int]:
        slots, asked_now, peak = asyncio.Semaphore(1), 0, 0

        async def answer(request: Request) -> None:
            nonlocal asked_now, peak
            if request.index == 0:
                await wait_for_next_attempt(0.02)
            asked_now += 1
            peak = max(peak, asked_now)
            await asyncio.sleep(0.01)
            asked_now -= 1

        stream = answer_all(answer, _requests("", "", ""), slots)
        order = [index async for index, _ in stream]
        assert not slots.locked()
        return order, peak

    order, peak = asyncio.run(scenario())
    assert order[0] == 1 and sorted(order) == [0, 1, 2]
    assert peak == 1


def test_where_all_requests_fail_no_more_than_twice_the_slots_are_open() -> None:
    async def scenario() -> int:
        open_now, peak = 0, 0

        async def answer(request: Request) -> None:
            nonlocal open_now, peak
            open_now += 1
            peak = max(peak, open_now)
            for _ in range(3):
                await wait_for_next_attempt(0.005)
            open_now -= 1

        async for _ in answer_all(answer, _requests(*["x"] * 50), asyncio.Semaphore(4)):
            pass
        return peak

    assert asyncio.run(scenario()) == 8


def test_a_stream_that_is_closed_while_requests_wait_gives_every_slot_back() -> None:
    async def scenario() -> int:
        slots = asyncio.Semaphore(3)

        async def answer(request: Request) -> None:
            if request.index:
                await wait_for_next_attempt(60)

        stream = answer_all(answer, _requests(*["x"] * 9), slots)
        await anext(stream)
        await asyncio.sleep(0.01)
        await stream.aclose()  # type: ignore[attr-defined]
        taken = 0
        while not slots.locked():
            await slots.acquire()
            taken += 1
        return taken

    assert asyncio.run(scenario()) == 3
