"""The completions interface with the log-probabilities of a model that anybody can recompute.

Its tokens are the words of a text with the blanks before them; the k-th letter of the alphabet that a token begins with
has log-probability -k/10, and anything else -1. The first token of a text has none.
"""

import re
from typing import Any

_TOKEN = re.compile(r"\s*\S+|\s+$")


def tokens(text: str) -> list[str]:
    """The text taken apart."""
    return _TOKEN.findall(text)


def log_probability(token: str) -> float:
    """Of one token, whatever stands before it."""
    letter = token.strip()[:1].lower()
    return -(ord(letter) - ord("a") + 1) / 10 if "a" <= letter <= "z" else -1.0


def log_likelihood(text: str) -> float:
    """Of all tokens but the first."""
    return sum(map(log_probability, tokens(text)[1:]))


def text_completion(call: Any, turn: Any, text: str) -> dict[str, Any]:
    """A reply in the form of OpenAI's and vLLM's completions; `echo` and `logprobs` hold for the prompt."""
    body = call.body
    prompt, answer = body["prompt"], tokens(text)[: body.get("max_tokens", 16)]
    count = body.get("n") or 1
    shown = (prompt if body.get("echo") else "") + "".join(answer)
    logprobs = _legacy(prompt if body.get("echo") else "", answer) if body.get("logprobs") is not None else None
    choice = {"text": shown, "logprobs": logprobs, "finish_reason": turn.finish_reason}
    return {
        "id": f"cmpl-{call.number}",
        "object": "text_completion",
        "created": 1,
        "model": body.get("model"),
        "choices": [{"index": index, **choice} for index in range(count)],
        "usage": {"prompt_tokens": len(tokens(prompt)), "completion_tokens": len(answer) * count},
    }


def _legacy(prompt: str, answer: list[str]) -> dict[str, Any]:
    shown = [*tokens(prompt), *answer]
    offsets = [sum(map(len, shown[:index])) for index in range(len(shown))]
    values = [None if index == 0 and prompt else log_probability(token) for index, token in enumerate(shown)]
    return {"tokens": shown, "token_logprobs": values, "text_offset": offsets, "top_logprobs": None}


def chat_shaped(reply: dict[str, Any], *, prompt: bool) -> dict[str, Any]:
    """The reply with log-probabilities in the form of chat completions, as llama.cpp has them for completions.

    Without `prompt` those of the prompt are missing, as llama.cpp ignores `echo`.
    """
    legacy = reply["choices"][0]["logprobs"]
    pairs = list(zip(legacy["tokens"], legacy["token_logprobs"], strict=True))
    kept = pairs if prompt else pairs[-reply["usage"]["completion_tokens"] :]
    content = [
        {"token": token, "logprob": value or 0.0, "bytes": list(token.encode()), "top_logprobs": []}
        for token, value in kept
    ]
    return {**reply, "choices": [{**reply["choices"][0], "logprobs": {"content": content}}]}
