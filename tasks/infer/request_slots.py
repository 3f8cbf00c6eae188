"""Places for requests in flight."""

import asyncio
from typing import Literal


class SharedSlots(asyncio.Semaphore):
    """Places of one task, each of which also takes one of those that all tasks together have."""

    def __init__(self, own: int, shared: asyncio.Semaphore) -> None:
        super().__init__(own)
        self._shared = shared

    async def acquire(self) -> Literal[True]:
        """Waits for both."""
        await super().acquire()
        try:
            return await self._shared.acquire()
        except BaseException:
            super().release()
            raise

    def release(self) -> None:
        """Gives both back."""
        self._shared.release()
        super().release()
