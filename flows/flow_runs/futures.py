"""A Prefect future whose JSON result is read back into our own type."""

from collections.abc import Callable
from typing import Any, Generic, TypeVar

from flows.run.engine_errors import NotExecuted, is_of_engine
from flows.run.window import Future

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
