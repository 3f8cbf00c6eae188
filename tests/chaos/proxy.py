"""A network between a run and its models that can be cut, or stand still."""

import asyncio
import threading
from collections.abc import Coroutine
from contextlib import suppress
from typing import Self


class Proxy:
    """Hands connections on to a port of this machine; a context manager with an event loop of its own."""

    def __init__(self, target: int) -> None:
        self.port = 0
        self._target = target
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._server: asyncio.Server | None = None
        self._open: set[asyncio.StreamWriter] = set()
        self._connections: set[asyncio.Task[None]] = set()
        self._flows = asyncio.Event()

    @property
    def url(self) -> str:
        """What goes into `openai_api_base`."""
        return f"http://127.0.0.1:{self.port}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        self._loop.call_soon_threadsafe(self._flows.set)
        self.restore()
        return self

    def __exit__(self, *exc: object) -> None:
        self.go_on()
        self.cut()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)

    def cut(self) -> None:
        """Breaks every connection; new ones are refused."""
        self._do(self._cut())

    def restore(self) -> None:
        """Takes connections again, at the same port."""
        self._do(self._mend())

    def stand_still(self) -> None:
        """Nothing comes through, and nobody is told."""
        self._loop.call_soon_threadsafe(self._flows.clear)

    def go_on(self) -> None:
        """What was held up arrives now."""
        self._loop.call_soon_threadsafe(self._flows.set)

    def _do(self, work: Coroutine[None, None, None]) -> None:
        asyncio.run_coroutine_threadsafe(work, self._loop).result(10)

    async def _cut(self) -> None:
        if self._server is not None:
            self._server.close()
            self._server = None
        for writer in list(self._open):
            writer.transport.abort()
        if self._connections:
            await asyncio.wait(self._connections, timeout=5)

    async def _mend(self) -> None:
        if self._server is None:
            self._server = await asyncio.start_server(self._connected, "127.0.0.1", self.port, backlog=4096)
            self.port = self._server.sockets[0].getsockname()[1]

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self._target)
        except OSError:
            writer.transport.abort()
            return
        both = {writer, back}
        self._open |= both
        try:
            await asyncio.gather(self._copy(reader, back), self._copy(there, writer))
        finally:
            self._open -= both
            for end in both:
                end.transport.abort()

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(OSError):
            while data := await reader.read(65536):
                await self._flows.wait()
                writer.write(data)
                await writer.drain()
        writer.close()
