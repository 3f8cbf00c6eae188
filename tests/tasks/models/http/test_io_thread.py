"""The I/O thread serves every other thread and ends cleanly."""

import asyncio
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tasks.models.http.io_thread import IOThread

INTERRUPTED = """
import asyncio, os, signal, threading
from tasks.models.http.io_thread import IOThread

async def wait():
    try:
        await asyncio.sleep(0.5)  # a signal just before the main thread waits would be seen only when it is woken
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(600)
    finally:
        print("cancelled", flush=True)

signal.signal(signal.SIGINT, signal.default_int_handler)  # whoever started the tests may have had it ignored
io = IOThread()
try:
    io.run(wait())
except KeyboardInterrupt:
    io.close()
    print("interrupted", flush=True)
"""


def test_many_threads_share_one_loop() -> None:
    io = IOThread()

    async def where(number: int) -> tuple[int, int]:
        await asyncio.sleep(0.001)
        return number, threading.get_ident()

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(lambda number: io.run(where(number)), range(50)))
    io.close()
    assert [number for number, _ in results] == list(range(50))
    assert len({thread for _, thread in results}) == 1
    assert results[0][1] != threading.get_ident()


def test_errors_reach_the_caller() -> None:
    async def fail() -> None:
        raise ValueError("no")

    io = IOThread()
    with pytest.raises(ValueError, match="no"):
        io.run(fail())
    io.close()


def test_closing_cancels_what_runs_and_may_be_repeated() -> None:
    ended = threading.Event()

    async def wait() -> None:
        try:
            await asyncio.sleep(600)
        finally:
            ended.set()

    io = IOThread()
    future = io.submit(wait())
    io.run(asyncio.sleep(0.01))
    io.close()
    io.close()
    assert ended.is_set()
    assert future.cancelled()
    io.call_soon(ended.clear)
    assert ended.is_set()


def test_interrupt_cancels_the_coroutine_and_is_raised() -> None:
    run = subprocess.run(
        [sys.executable, "-c", INTERRUPTED],
        cwd=Path(__file__).parents[4],
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert run.stdout.split() == ["cancelled", "interrupted"]
