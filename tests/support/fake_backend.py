"""A backend that answers by a function, for tests of what is around it."""

import asyncio
from collections.abc import AsyncIterator, Callable
from typing import Any

from tasks.models.interface import Backend, Completion, Request, Usage
from tasks.models.token_count import Estimate
from tasks.spec.chat import prompt_text
from tasks.spec.status import Status


def completion(text: str, **fields: Any) -> Completion:
    return Completion(Status.OK if text else Status.EMPTY, (text,), "stop", usage=Usage(3, 2), **fields)


class FakeBackend(Backend):
    """Answers `limit` requests at once with `answer(prompt text)`; remembers what it was asked."""

    count_tokens = Estimate()

    def __init__(self, answer: Callable[[str], Completion | str], *, delay: float = 0.0) -> None:
        self._answer = answer
        self._delay = delay
        self.asked: list[str] = []
        self.in_flight = 0
        self.peak = 0

    async def generate(
        self, requests: AsyncIterator[Request], slots: asyncio.Semaphore | None = None
    ) -> AsyncIterator[tuple[int, Completion]]:
        from tasks.models.answering import answer_all

        async for item in answer_all(self._one, requests, slots or asyncio.Semaphore(8)):
            yield item

    async def _one(self, request: Request) -> Completion:
        text = prompt_text(request.prompt)
        self.asked.append(text)
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        await asyncio.sleep(self._delay)
        self.in_flight -= 1
        answer = self._answer(text)
        return completion(answer) if isinstance(answer, str) else answer


def add(question: str) -> str:
    """The right answer to "What is 3 + 4?"."""
    left, right = question.removeprefix("What is ").removesuffix("?").split(" + ")
    return str(int(left) + int(right))


class Adder(FakeBackend):
    """Answers sums rightly."""

    def __init__(self, delay: float = 0.0) -> None:
        super().__init__(add, delay=delay)
