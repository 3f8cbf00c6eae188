"""What every model backend offers, and the words it is spoken to with.

A backend answers a stream of requests with a stream of results in the order they become ready, so
that each result can be written down when it arrives. Requests come from an asynchronous iterator:
later rounds of a dialogue enter it when the earlier ones are answered.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Literal, Protocol

from tasks.spec.chat import Prompt
from tasks.spec.status import Status

PromptForm = Literal["text", "messages"]
"""Whether a backend's dialogues are rendered to one text (base models) or to messages (chat models)."""


@dataclass(frozen=True, slots=True)
class Sampling:
    """How answers are drawn, where a dataset and not the model says it; None: as the model says."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None

    @property
    def given(self) -> dict[str, float]:
        """The settings that are set, by name."""
        return {name: value for name in self.__slots__ if (value := getattr(self, name)) is not None}


@dataclass(frozen=True, slots=True)
class Request:
    """One question: a sample, one round of a dialogue, or one judge call."""

    index: int
    """Chosen by the caller; results carry it back."""
    prompt: Prompt
    max_out_len: int | None = None
    """Output limit in tokens."""
    min_out_len: int | None = None
    stop: tuple[str, ...] = ()
    """The answer ends before the first of these strings."""
    sequences: int = 1
    """How many answers are sampled for this prompt."""
    sampling: Sampling | None = None
    """Goes before the model's own settings, as far as its interface knows these."""


@dataclass(frozen=True, slots=True)
class ScoreRequest:
    """One text whose log-likelihood is wanted: a label of a ppl sample, or a whole text."""

    index: int
    context: str
    """What the model sees first; not scored. Empty: the whole text is scored."""
    continuation: str
    """The part that is scored, under the context."""
    tokenwise: bool = False
    """Whether the log-probability of each token is wanted too."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the service or the engine counted them; None where it did not say."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    reasoning_tokens: int | None = None
    """Part of the completion tokens."""
    cached_tokens: int | None = None
    """Part of the prompt tokens."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The answer to a `Request`."""

    status: Status
    texts: tuple[str, ...] = ("",)
    """One text per sequence, reasoning removed; `("",)` if there is none."""
    finish_reason: str | None = None
    """As the service says it: `stop`, `length`, `content_filter`, …"""
    reasoning: str | None = None
    usage: Usage = field(default_factory=Usage)
    latency: float = 0.0
    """Seconds from sending the last attempt to its full answer."""
    attempts: int = 1
    error: str | None = None
    """For status `error`, `filtered`, `refused`: the reason in one line, free of secrets."""
    note: str | None = None
    """What the reader of the record should know, e.g. "prompt cut from 9000 to 8092 tokens"."""
    fatal: bool = False
    """Whether asking this endpoint further is pointless (key expired, quota gone, server gone for good)."""


@dataclass(frozen=True, slots=True)
class Likelihood:
    """The answer to a `ScoreRequest`."""

    status: Status
    log_likelihood: float = 0.0
    """Sum of natural-log probabilities of the continuation's tokens."""
    tokens: int = 0
    """How many tokens were scored; perplexity's exponent is `-log_likelihood / tokens`."""
    latency: float = 0.0
    attempts: int = 1
    error: str | None = None
    fatal: bool = False
    token_log_probabilities: tuple[float, ...] | None = None
    """Of the scored tokens, in their order; for requests that are `tokenwise`."""


class TokenCounter(Protocol):
    """Counts tokens of text or of a prompt for length limits and estimates."""

    name: str
    """What counts: a tokenizer's name, or `estimate`."""
    exact: bool

    def __call__(self, prompt: Prompt) -> int: ...


class Backend(ABC):
    """A model that can be asked. Built on the thread that plans, used on one event loop."""

    prompt_form: PromptForm = "messages"
    is_api: bool = True
    max_seq_len: int | None = None
    count_tokens: TokenCounter

    @abstractmethod
    def generate(
        self, requests: AsyncIterator[Request], slots: asyncio.Semaphore | None = None
    ) -> AsyncIterator[tuple[int, Completion]]:
        """Answers in the order they arrive.

        A backend that sends requests over a network takes one of `slots` for each request it has fetched, before
        it fetches another, and gives the slot back with the answer (never holding a slot while it waits for the
        iterator, which may itself wait for answers); engines that batch by themselves ignore `slots`. A failed
        request yields a Completion with status `error`; it never raises for one.
        """

    def loglikelihood(
        self, requests: AsyncIterator[ScoreRequest], slots: asyncio.Semaphore | None = None
    ) -> AsyncIterator[tuple[int, Likelihood]]:
        """Log-likelihoods in the order they arrive; NotImplementedError where `can_score` is False."""
        raise NotImplementedError(f"{type(self).__name__} cannot compute log-likelihoods")

    can_score: bool = False
    """Whether `loglikelihood` works."""
    can_score_tokens: bool = False
    """Whether it can tell the log-probability of each token."""

    async def close(self) -> None:
        """Releases connections and engines; called once, after the last request."""


class TokenSource(Protocol):
    """Where a limiter takes its request permits from: this process alone, or a limit shared by many."""

    async def take(self, count: int) -> None:
        """Returns once `count` requests may be sent."""
        ...
