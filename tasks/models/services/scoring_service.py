"""Services that tell how likely a text is."""

import asyncio
import math
import time
from abc import abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import NamedTuple

from tasks.models.answering import answer_all
from tasks.models.http.api_service import ApiService
from tasks.models.http.endpoints import Endpoint
from tasks.models.http.reply_checks import reading
from tasks.models.http.retries import ask
from tasks.models.interface import Completion, Likelihood, ScoreRequest
from tasks.spec.status import Status


class Score(NamedTuple):
    """The scored part of a text."""

    log_likelihood: float
    """Sum of natural-log probabilities."""
    tokens: int
    values: tuple[float, ...] | None = None
    """Those of the tokens, where the service tells them."""


def _sound(score: Score) -> Score:
    """ValueError for what is no likelihood: compared with others it would decide by chance."""
    if not math.isfinite(score.log_likelihood):
        raise ValueError("a log-probability is no finite number")
    return score


SendScore = Callable[[Endpoint, str], Awaitable[Score]]
"""One attempt at an address with a key; raises AttemptFailed."""


class ScoringService(ApiService):
    """Base of the classes that can compute log-likelihoods."""

    can_score = True

    @abstractmethod
    def scorer(self, request: ScoreRequest) -> SendScore:
        """One attempt at the request."""

    def loglikelihood(
        self, requests: AsyncIterator[ScoreRequest], slots: asyncio.Semaphore | None = None
    ) -> AsyncIterator[tuple[int, Likelihood]]:
        """See `Backend.loglikelihood`; without `slots`, `max_workers` requests are in flight."""
        return answer_all(self.score, requests, slots or self.own_slots())

    async def score(self, request: ScoreRequest) -> Likelihood:
        """The log-likelihood of one continuation, after all attempts it may take."""
        text = request.context + request.continuation
        if self.max_seq_len is not None and (tokens := self.count_tokens(text)) > self.max_seq_len:
            error = f"the text has {tokens} tokens, the model takes {self.max_seq_len} (max_seq_len)"
            return Likelihood(Status.ERROR, attempts=0, error=error)
        send = self.scorer(request)
        scores: list[Score] = []
        latency = 0.0

        async def attempt(endpoint: Endpoint, key: str) -> Completion:
            nonlocal latency
            self._log.sent(request.index, endpoint.base)
            start = time.perf_counter()
            with reading():
                scores.append(_sound(await send(endpoint, key)))
            latency = time.perf_counter() - start
            return Completion(Status.OK)

        outcome = await ask(attempt, self._route)
        if outcome.status is not Status.OK:
            return Likelihood(outcome.status, attempts=outcome.attempts, error=outcome.error, fatal=outcome.fatal)
        found = scores[-1]
        tokenwise = found.values if request.tokenwise else None
        return Likelihood(
            Status.OK,
            found.log_likelihood,
            found.tokens,
            latency=latency,
            attempts=outcome.attempts,
            token_log_probabilities=tokenwise,
        )
