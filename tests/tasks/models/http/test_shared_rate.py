"""Several processes keep one rate: permits are drawn in batches, and a lost counter stops nobody."""

import asyncio
import time

import pytest

from tasks.models.http.shared_rate import NoPermits, SharedRate, batch_of


class Counter:
    """Counts what is drawn; lets everything pass."""

    def __init__(self, fails_at: int | None = None) -> None:
        self.draws: list[int] = []
        self.fails_at = fails_at

    async def __call__(self, count: int) -> None:
        if len(self.draws) == self.fails_at:
            raise NoPermits("the server is gone")
        self.draws.append(count)


async def _take(rate: SharedRate, count: int) -> None:
    await asyncio.gather(*[rate.take(1) for _ in range(count)])


@pytest.mark.parametrize(("per_second", "batch"), [(0.1, 1), (4, 1), (10, 3), (100, 25)])
def test_a_batch_is_a_quarter_of_a_second(per_second: float, batch: int):
    assert batch_of(per_second) == batch


def test_every_permit_is_drawn_once_and_in_batches():
    counter = Counter()
    asyncio.run(_take(SharedRate(400, counter), 250))
    assert counter.draws == [100, 100, 100]


def test_nobody_passes_before_the_permits_are_drawn():
    async def scenario() -> None:
        gate = asyncio.Event()

        async def draw(count: int) -> None:
            await gate.wait()

        taking = asyncio.ensure_future(_take(SharedRate(100, draw), 3))
        await asyncio.sleep(0.05)
        assert not taking.done()
        gate.set()
        await asyncio.wait_for(taking, 5)

    asyncio.run(scenario())


def test_without_the_counter_the_own_rate_holds_and_it_is_said_once(caplog: pytest.LogCaptureFixture):
    counter, start = Counter(fails_at=1), time.monotonic()
    asyncio.run(_take(SharedRate(40, counter), 30))
    assert time.monotonic() - start >= 28 / 40
    assert [record.message for record in caplog.records] == [
        "query_per_second holds for this process alone from here on: the server is gone"
    ]


def test_a_request_that_is_given_up_keeps_nobody_from_drawing():
    async def scenario() -> None:
        counter = Counter()
        rate = SharedRate(100, counter)
        first = asyncio.ensure_future(rate.take(1))
        await asyncio.sleep(0)
        first.cancel()
        await asyncio.wait_for(rate.take(1), 5)

    asyncio.run(scenario())
