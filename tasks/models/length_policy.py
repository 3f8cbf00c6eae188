"""Fits a request into the model's context: cuts the prompt where the configuration allows it, and the output limit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from tasks.models.interface import Request, TokenCounter
from tasks.spec.chat import Message, Prompt, to_wire_messages

CutMode = Literal["none", "front", "mid", "rear"]
"""Which part of a question that is too long goes: `none` of it, its front, its middle, its rear."""
Count = Callable[[Prompt], int]

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
        prompt, dropped = cut_prompt(request.prompt, count, _prompt_limit(max_seq_len, request.max_out_len), mode)
        if prompt != request.prompt:
            request = replace(request, prompt=prompt)
            tokens = count(prompt)
            note = cut_note(before, tokens, mode, dropped)
    if tokens >= max_seq_len:
        raise TooLong(f"the prompt has {_about(count)}{tokens} tokens, the model takes {max_seq_len} (max_seq_len)")
    room = max_seq_len - tokens
    room -= reserved_tokens(room)
    if request.max_out_len is not None and request.max_out_len > room:
        if request.max_out_len > 2 * room:
            note = "; ".join(filter(None, (note, f"output limit cut from {request.max_out_len} to {room} tokens")))
        request = replace(request, max_out_len=room)
    return FittedRequest(request, tokens, note)


def reserved_tokens(room: int) -> int:
    """How much of the room behind a prompt is kept free for the chat template."""
    return min(RESERVE_TOKENS, room // 2)


def cut_note(before: int, after: int, mode: CutMode, dropped: int) -> str:
    """What was done to a prompt that is too long."""
    examples = f"; in-context examples left out: {dropped}" if dropped else ""
    return f"prompt cut from {before} to {after} tokens ({mode}){examples}"


def token_gap(counted: int | None, reported: int | None, exact: bool) -> str | None:
    """What to say if the service read far fewer prompt tokens than were sent: it may have cut the prompt silently."""
    share = _LEAST_SHARE if exact else _LEAST_SHARE_OF_ESTIMATE
    if counted is None or reported is None or reported >= counted * share:
        return None
    sent = f"{counted}" if exact else f"about {counted} (estimated)"
    return f"the service may have cut the prompt: it read {reported} tokens, {sent} were sent"


def cut_prompt(prompt: Prompt, count: Count, limit: int, mode: CutMode) -> tuple[Prompt, int]:
    """The prompt cut to `limit` tokens as far as possible, and how many in-context examples were left out.

    A dialogue first loses its oldest examples, then a part of the question. Roles, system messages and content parts
    that are no text stay.
    """
    if isinstance(prompt, str):
        return _cut(prompt, lambda text: count(text) <= limit, mode), 0
    messages, dropped = list(prompt), 0
    while count(messages) > limit and (example := _oldest_example(messages)):
        del messages[example]
        dropped += 1
    question = _question(messages)
    if question is None:
        return messages, dropped
    key = "content" if "content" in messages[question] else "prompt"

    def with_text(text: str) -> list[Message]:
        return [*messages[:question], messages[question] | {key: text}, *messages[question + 1 :]]

    return with_text(_cut(messages[question][key], lambda text: count(with_text(text)) <= limit, mode)), dropped


def _oldest_example(messages: Sequence[Message]) -> slice | None:
    """The first question with its answer; what stands before it without an answer is part of the instruction."""
    roles = [_role(message) for message in messages]
    last = max((i for i, role in enumerate(roles) if role == "user"), default=0)
    answer = next((i for i, role in enumerate(roles[:last]) if role == "assistant"), None)
    if not answer or roles[answer - 1] != "user":
        return None
    stop = next(i for i in range(answer, last + 1) if roles[i] != "assistant")
    return slice(answer - 1, stop)


def _question(messages: Sequence[Message]) -> int | None:
    """Position of the last text that the user says."""
    texts = (i for i, message in enumerate(messages) if isinstance(message.get("content", message.get("prompt")), str))
    return max((i for i in texts if _role(messages[i]) == "user"), default=None)


def _role(message: Message) -> str:
    return to_wire_messages([message])[0]["role"]


def _prompt_limit(max_seq_len: int, max_out_len: int | None) -> int:
    """What the output limit leaves; half of the context where that is nothing, as the output limit shrinks too."""
    left = max_seq_len - RESERVE_TOKENS - (max_out_len or 0)
    return left if left > 0 else max(1, max_seq_len // 2)


def _cut(text: str, fits: Callable[[str], bool], mode: CutMode) -> str:
    if fits(text):
        return text
    words = _words(text)
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if fits(_keep(words, middle, mode)) else (low, middle - 1)
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
