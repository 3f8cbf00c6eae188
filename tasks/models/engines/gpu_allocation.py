"""The GPUs of this process: which there are, how replicas share them, and which model uses them now."""

import asyncio
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

_VARIABLES = ("CUDA_VISIBLE_DEVICES", "ASCEND_RT_VISIBLE_DEVICES")


class Closable(Protocol):
    """A model that gives its GPUs back when it is closed."""

    async def close(self) -> None: ...


def visible_gpus() -> list[str]:
    """Those that `CUDA_VISIBLE_DEVICES` (or Ascend's variable) names, else all of this machine."""
    for name in _VARIABLES:
        if name in os.environ:
            return [gpu.strip() for gpu in os.environ[name].split(",") if gpu.strip() not in ("", "-1")]
    return [str(number) for number in range(len(list(Path("/dev").glob("nvidia[0-9]*"))))]


def device_variable() -> str:
    """The variable that says which GPUs a process sees here."""
    return next((name for name in _VARIABLES if name in os.environ), _VARIABLES[0])


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
