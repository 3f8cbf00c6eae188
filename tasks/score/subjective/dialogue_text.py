"""Answers of one round or several, as a judge's prompt shows them."""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

_ENGLISH = re.compile(r"\b[a-zA-Z]+\b")
_CHINESE = re.compile(r"[\u4e00-\u9fff]")


def rounds_of(answer: Any) -> list[str]:
    """The model's text of each round; of `{round, user, assistant}` what the assistant said."""
    if not isinstance(answer, list | tuple):
        return ["" if answer is None else str(answer)]
    return [_said(item) for item in cast(Sequence[Any], answer)]


def is_empty(answer: Any) -> bool:
    """Whether no round says anything."""
    return not any(text.strip() for text in rounds_of(answer))


def columns(answers: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """What a judge's template can name: `prediction`, `prediction2`, their rounds `prediction_r1`, …, word counts."""
    for number, answer in enumerate(answers, 1):
        name = "prediction" if number == 1 else f"prediction{number}"
        rounds = rounds_of(answer)
        text = rounds[0] if len(rounds) == 1 else "\n\n".join(f"[{i}] {said}" for i, said in enumerate(rounds, 1))
        yield name, text
        yield f"{name}_en_word_count", str(len(_ENGLISH.findall(text)))
        yield f"{name}_cn_word_count", str(len(_CHINESE.findall(text)))
        for index, said in enumerate(rounds, 1):
            yield f"{name}_r{index}", said


def _said(item: Any) -> str:
    if isinstance(item, Mapping):
        return str(cast(Mapping[str, Any], item).get("assistant", ""))
    return "" if item is None else str(item)
