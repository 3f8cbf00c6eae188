"""Asks a backend outside of a run."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from tasks.models.interface import Backend, Completion, Likelihood, Request, ScoreRequest
from tasks.models.services.openai_chat import OpenAISDK
from tasks.models.services.openai_responses import OpenAISDKResponse
from tasks.models.services.openai_stream import OpenAISDKStreaming


def chat_model(url: str | list[str], **arguments: Any) -> OpenAISDK:
    """A chat model at the address, with a key that is as good as any."""
    return OpenAISDK(**{"path": "some-model", "key": "EMPTY", "openai_api_base": url, "max_seq_len": None, **arguments})


def streaming_model(url: str | list[str], **arguments: Any) -> OpenAISDKStreaming:
    """A chat model at the address that is asked for streams."""
    return OpenAISDKStreaming(
        **{"path": "some-model", "key": "EMPTY", "openai_api_base": url, "max_seq_len": None, **arguments}
    )


def responses_model(url: str, **arguments: Any) -> OpenAISDKResponse:
    """A Responses model at the address."""
    return OpenAISDKResponse(
        **{"path": "some-model", "key": "EMPTY", "openai_api_base": url, "max_seq_len": None, **arguments}
    )


def ask(backend: Backend, *requests: Request | str, in_flight: int = 64) -> list[Completion]:
    """The answers in the order of the requests; the backend is closed afterwards."""
    numbered = [Request(n, r) if isinstance(r, str) else r for n, r in enumerate(requests)]
    answers = asyncio.run(_ask(backend, numbered, in_flight))
    return [answers[request.index] for request in numbered]


def ask_one(backend: Backend, request: Request | str) -> Completion:
    """The answer to one request; the backend is closed afterwards."""
    return ask(backend, request)[0]


def score(backend: Backend, *pairs: tuple[str, str]) -> list[Likelihood]:
    """The log-likelihoods of (context, continuation) in their order; the backend is closed afterwards."""
    return scored_requests(backend, *(ScoreRequest(index, *pair) for index, pair in enumerate(pairs)))


def scored_requests(backend: Backend, *requests: ScoreRequest) -> list[Likelihood]:
    """The answers in the order of the requests; the backend is closed afterwards."""

    async def run() -> dict[int, Likelihood]:
        async def stream() -> AsyncIterator[ScoreRequest]:
            for request in requests:
                yield request

        try:
            return {index: likelihood async for index, likelihood in backend.loglikelihood(stream())}
        finally:
            await backend.close()

    scores = asyncio.run(run())
    return [scores[request.index] for request in requests]


async def _ask(backend: Backend, requests: Sequence[Request], in_flight: int) -> dict[int, Completion]:
    async def stream() -> AsyncIterator[Request]:
        for request in requests:
            yield request

    try:
        return {
            index: completion async for index, completion in backend.generate(stream(), asyncio.Semaphore(in_flight))
        }
    finally:
        await backend.close()
