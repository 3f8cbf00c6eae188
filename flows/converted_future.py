"""A Prefect future whose JSON result is read back into our own type."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from flows.window import Future, NotExecuted

Result = TypeVar("Result")


class ConvertedFuture(Generic[Result]):
    """Behaves like `future`, but gives `convert(result)`, or NotExecuted for what the engine itself fails with."""

    def __init__(self, future: Future[Any], convert: Callable[[Any], Result]) -> None:
        self._future = future
        self._convert = convert

    def add_done_callback(self, fn: Callable[[Any], None], /) -> None:
        self._future.add_done_callback(fn)

    def result(self, timeout: float | None = None) -> Result:
        try:
            return self._convert(self._future.result(timeout))
        except Exception as error:
            if is_of_engine(error):
                raise NotExecuted(str(error)) from error
            raise


def is_of_engine(error: Exception) -> bool:
    """Whether Prefect's client raised it: the server was not there for a moment, or could not serve a call."""
    return any(base.__module__.startswith(("httpx", "prefect.concurrency")) for base in type(error).__mro__)
