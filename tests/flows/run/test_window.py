"""The window keeps few things running, loses nothing, and stops at once."""

import threading
import time
from concurrent.futures import Future as PlainFuture
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from prefect.concurrency.asyncio import ConcurrencySlotAcquisitionError

from flows.flow_runs.futures import ConvertedFuture
from flows.run import window as window_module
from flows.run.engine_errors import EngineLost, NotExecuted
from flows.run.window import Future, Window


def test_everything_is_done_and_never_more_than_the_limit_runs():
    running, peak, done = 0, 0, []
    lock = threading.Lock()

    def work(item: int) -> int:
        nonlocal running, peak
        with lock:
            running += 1
            peak = max(peak, running)
        time.sleep(0.01)
        with lock:
            running -= 1
        return item * 2

    with ThreadPoolExecutor(8) as pool:
        window: Window[int, int] = Window(3, threading.Event(), threading.Event())
        window.add(range(20))
        window.end()
        window.run(lambda item: pool.submit(work, item), lambda item, future: done.append((item, future.result())))
    assert sorted(done) == [(item, item * 2) for item in range(20)]
    assert peak == 3


def test_work_may_be_added_while_others_run():
    done = []
    with ThreadPoolExecutor(2) as pool:
        window: Window[int, int] = Window(2, threading.Event(), threading.Event())

        def received(item: int, future: Future[int]) -> None:
            done.append(item)
            if item < 3:
                window.add([item + 1])
            else:
                window.end()

        window.add([0])
        window.run(lambda item: pool.submit(int, item), received)
    assert done == [0, 1, 2, 3]


def test_a_failure_reaches_the_receiver():
    with ThreadPoolExecutor(1) as pool:
        window: Window[int, float] = Window(1, threading.Event(), threading.Event())
        window.add([0, 1])
        window.end()
        outcomes = {}
        window.run(
            lambda item: pool.submit(lambda: 1 / item),
            lambda item, future: outcomes.__setitem__(item, _error(future)),
        )
    assert isinstance(outcomes[0], ZeroDivisionError) and outcomes[1] is None


def test_nothing_is_submitted_after_stop():
    stop = threading.Event()
    submitted = []
    with ThreadPoolExecutor(1) as pool:

        def submit(item: int) -> Any:
            submitted.append(item)
            return pool.submit(stop.set)

        window: Window[int, None] = Window(1, stop, threading.Event())
        window.add(range(10))
        window.end()
        window.run(submit, lambda item, future: None)
    assert submitted == [0]


def _error(future: Future[Any]) -> Exception | None:
    try:
        future.result()
    except ArithmeticError as error:
        return error
    return None


def test_without_an_engine_nothing_more_is_submitted_and_what_runs_is_not_waited_for():
    lost, submitted = threading.Event(), []

    def submit(item: int) -> PlainFuture[None]:
        submitted.append(item)
        return PlainFuture()

    window: Window[int, None] = Window(2, threading.Event(), lost)
    window.add(range(5))
    threading.Timer(0.1, lost.set).start()
    with pytest.raises(EngineLost):
        window.run(submit, lambda *_: None)
    assert submitted == [0, 1]


@pytest.mark.parametrize(("fails", "expected"), [(0, ["done"]), (2, ["done"]), (9, ["gave up"])])
def test_what_was_not_executed_is_submitted_again_and_not_for_ever(
    fails: int, expected: list[str], monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(window_module, "PAUSES", (0.01, 0.01, 0.01))
    window: Window[str, str] = Window(1, threading.Event(), threading.Event())
    outcomes, tries = [], []

    def submit(item: str) -> Future[str]:
        tries.append(item)
        future: PlainFuture[str] = PlainFuture()
        if len(tries) <= fails:
            future.set_exception(ConcurrencySlotAcquisitionError("the server restarts"))
        else:
            future.set_result("done")
        return ConvertedFuture(future, str)

    def received(item: str, future: Future[str]) -> None:
        try:
            outcomes.append(future.result())
        except NotExecuted:
            if not window.again(item):
                outcomes.append("gave up")

    window.add(["a"])
    window.end()
    window.run(submit, received)
    assert outcomes == expected and len(tries) == min(fails, 3) + 1


def test_errors_of_the_work_are_the_works_own():
    future: PlainFuture[str] = PlainFuture()
    future.set_exception(ValueError("of the work"))
    with pytest.raises(ValueError, match="of the work"):
        ConvertedFuture(future, str).result()
