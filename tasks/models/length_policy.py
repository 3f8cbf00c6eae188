"""Fits a request into the model's context: cuts the prompt where the configuration allows it, and the output limit."""

from dataclasses import dataclass, replace
from typing import Any, Literal

from tasks.models.interface import Request, TokenCounter
from tasks.spec.chat import Message, Prompt

CutMode = Literal["none", "front", "mid", "rear"]
"""Which part of a message that is too long goes: `none` of it, its front, its middle, its rear."""

RESERVE_TOKENS = 100
"""Kept free for what a chat template adds and a count by another tokenizer may miss."""


_LEAST_SHARE = 0.7
_LEAST_SHARE_OF_ESTIMATE = 0.5


class TooLong(Exception):
    """The prompt leaves no room for an answer."""


@dataclass(frozen=True, slots=True)
class FittedRequest:
    """A request that fits, and what was done to it."""

    request: Request
    prompt_tokens: int | None
    """None where nothing had to be counted."""
    note: str | None = None


def fit(request: Request, count: TokenCounter, max_seq_len: int | None, mode: CutMode) -> FittedRequest:
    """The request with its prompt cut (unless `mode` is `none`) and its output limit reduced to what is left.

    Raises TooLong if the prompt alone has `max_seq_len` tokens or more.
    """
    if max_seq_len is None:
        return FittedRequest(request, None)
    note = None
    tokens = count(request.prompt)
    if mode != "none":
        before = tokens
        prompt = cut_messages(request.prompt, count, _message_limit(max_seq_len, request.max_out_len), mode)
        if prompt != request.prompt:
            request = replace(request, prompt=prompt)
            tokens = count(prompt)
            note = f"prompt cut from {before} to {tokens} tokens ({mode})"
    if tokens >= max_seq_len:
        raise TooLong(f"the prompt has {_about(count)}{tokens} tokens, the model takes {max_seq_len} (max_seq_len)")
    room = max_seq_len - tokens
    room -= min(RESERVE_TOKENS, room // 2)
    if request.max_out_len is not None and request.max_out_len > room:
        if request.max_out_len > 2 * room:
            note = "; ".join(filter(None, (note, f"output limit cut from {request.max_out_len} to {room} tokens")))
        request = replace(request, max_out_len=room)
    return FittedRequest(request, tokens, note)


def token_gap(counted: int | None, reported: int | None, exact: bool) -> str | None:
    """What to say if the service read far fewer prompt tokens than were sent: it may have cut the prompt silently."""
    share = _LEAST_SHARE if exact else _LEAST_SHARE_OF_ESTIMATE
    if counted is None or reported is None or reported >= counted * share:
        return None
    return f"the service may have cut the prompt: it read {reported} tokens of {counted} counted here"


def cut_messages(prompt: Prompt, count: TokenCounter, limit: int, mode: CutMode) -> Prompt:
    """The prompt with every message cut to `limit` tokens; content parts stay whole."""
    if isinstance(prompt, str):
        return _cut(prompt, count, limit, mode)
    return [_cut_message(message, count, limit, mode) for message in prompt]


def _message_limit(max_seq_len: int, max_out_len: int | None) -> int:
    """What the output limit leaves; half of the context where that is nothing, as the output limit shrinks too."""
    left = max_seq_len - RESERVE_TOKENS - (max_out_len or 0)
    return left if left > 0 else max(1, max_seq_len // 2)


def _cut_message(message: Message, count: TokenCounter, limit: int, mode: CutMode) -> Message:
    key = "content" if "content" in message else "prompt"
    text: Any = message[key]
    return message | {key: _cut(text, count, limit, mode)} if isinstance(text, str) else message


def _cut(text: str, count: TokenCounter, limit: int, mode: CutMode) -> str:
    if count(text) <= limit:
        return text
    words = _words(text)
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if count(_keep(words, middle, mode)) <= limit else (low, middle - 1)
    return _keep(words, low, mode)


def _keep(words: list[str], size: int, mode: CutMode) -> str:
    """So many of the words, from where the mode does not cut."""
    tail = {"front": size, "mid": size // 2}.get(mode, 0)
    return "".join(words[: size - tail] + words[len(words) - tail :])


def _words(text: str) -> list[str]:
    """Words with the blanks after them; Chinese characters are words of their own."""
    words: list[str] = []
    start = 0
    for position, character in enumerate(text):
        if "\u4e00" <= character <= "\u9fff" or (
            character.isspace() and not text[position + 1 : position + 2].isspace()
        ):
            words.append(text[start : position + 1])
            start = position + 1
    return [*words, text[start:]] if start < len(text) else words


def _about(count: TokenCounter) -> str:
    return "" if count.exact else "about "
