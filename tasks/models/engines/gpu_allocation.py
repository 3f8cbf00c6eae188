"""How replicas share the GPUs of this process, and which model uses them now."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Protocol


class Closable(Protocol):
    """A model that gives its GPUs back when it is closed."""

    async def close(self) -> None: ...


@dataclass(frozen=True)
class Placement:
    """How a run uses the GPUs of its machine."""

    most_replicas: int | None = None
    """Of one model; as many as there is room for without it."""
    per_gpu: int = 1
    """Replicas that share each GPU."""

    def groups(self, gpus: list[str], per_replica: int) -> list[list[str]]:
        """The GPUs of each replica of a model: none are seen where it asks for none."""
        if not per_replica:
            return [[]]
        return (gpu_groups(gpus, per_replica) * self.per_gpu)[: self.most_replicas] or [gpus]


def gpu_groups(gpus: list[str], per_replica: int) -> list[list[str]]:
    """The GPUs of each replica; none where they do not suffice for one."""
    return [gpus[start : start + per_replica] for start in range(0, len(gpus) - per_replica + 1, per_replica)]


class GpuTurn:
    """Lets the models of one process use the GPUs one after the other: the one before is closed first."""

    def __init__(self) -> None:
        self._owner: Closable | None = None
        self._users = 0
        self._changed = asyncio.Condition()

    @asynccontextmanager
    async def use(self, model: Closable) -> AsyncGenerator[None]:
        """Waits until no other model uses the GPUs; several shards of one model use them together."""
        async with self._changed:
            await self._changed.wait_for(lambda: self._owner is model or not self._users)
            if self._owner is not None and self._owner is not model:
                await self._owner.close()
            self._owner = model
            self._users += 1
        try:
            yield
        finally:
            async with self._changed:
                self._users -= 1
                self._changed.notify_all()
