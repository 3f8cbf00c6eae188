"""Reads the log-probabilities that a completions service echoes of a prompt."""

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from tasks.models.services.scoring_service import Score


class Token(NamedTuple):
    """One token of a text, with its natural-log probability under those before it; None for the first."""

    text: str
    log_probability: float | None


def tokens_of(logprobs: Any) -> list[Token]:
    """The tokens of a choice's `logprobs`, in the form of completions (vLLM) or of chat completions (llama.cpp)."""
    if not isinstance(logprobs, dict):
        return []
    fields = cast(dict[str, Any], logprobs)
    if isinstance(content := fields.get("content"), list):
        return [Token(token["token"], token["logprob"]) for token in cast(list[Any], content)]
    return [Token(*pair) for pair in zip(fields.get("tokens") or (), fields.get("token_logprobs") or (), strict=True)]


def score_of_end(tokens: Sequence[Token], prompt: str, start: int) -> Score | None:
    """The score of `prompt[start:]`, told by the texts of the tokens: all that reach beyond `start` count.

    None where the texts do not make the prompt, e.g. where a character is cut between tokens. A first token that is
    not in the prompt is the tokenizer's own.
    """
    values: list[float] = []
    position = 0
    for token in tokens:
        if position == len(prompt):
            break
        if not prompt.startswith(token.text, position):
            if position:
                return None
            continue
        position += len(token.text)
        if position > start and token.log_probability is not None:
            values.append(token.log_probability)
    return _score(values) if position == len(prompt) else None


def score_of_all(tokens: Sequence[Token]) -> Score:
    """The score of all tokens that have one."""
    return _score([token.log_probability for token in tokens if token.log_probability is not None])


def _score(values: Sequence[float]) -> Score:
    return Score(sum(values), len(values), tuple(values))
