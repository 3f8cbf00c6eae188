"""A backend that finds texts likely by a table, for tests of what compares likelihoods."""

import asyncio
from collections.abc import AsyncIterator, Callable

from tasks.models.interface import Backend, Completion, Likelihood, PromptForm, Request, ScoreRequest
from tasks.models.token_count import Estimate
from tasks.spec.status import Status

Judge = Callable[[str, str], float]
"""Log-likelihood of a continuation under its context."""


class FakeScorer(Backend):
    """Every word of a continuation is a token; remembers what it was asked."""

    prompt_form: PromptForm = "text"
    can_score = True
    count_tokens = Estimate()

    def __init__(self, judge: Judge = lambda context, continuation: -float(len(continuation))) -> None:
        self._judge = judge
        self.asked: list[tuple[str, str]] = []

    async def generate(
        self, requests: AsyncIterator[Request], slots: asyncio.Semaphore | None = None
    ) -> AsyncIterator[tuple[int, Completion]]:
        async for request in requests:
            yield request.index, Completion(Status.OK, ("text",), "stop")

    async def loglikelihood(
        self, requests: AsyncIterator[ScoreRequest], slots: asyncio.Semaphore | None = None
    ) -> AsyncIterator[tuple[int, Likelihood]]:
        async for request in requests:
            self.asked.append((request.context, request.continuation))
            score = self._judge(request.context, request.continuation)
            yield request.index, Likelihood(Status.OK, score, len(request.continuation.split()))
