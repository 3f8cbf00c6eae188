"""Keeps a model's reasoning apart from its answer."""

from typing import NamedTuple


class Answer(NamedTuple):
    """A text taken apart."""

    text: str
    reasoning: str | None
    closed: bool
    """False: the reasoning never ended, so there is no answer."""


def split_reasoning(text: str, closing_tag: str) -> Answer:
    """Takes reasoning blocks off the front of the text, e.g. `<think>…</think>` for the closing tag `</think>`.

    The first block may lack its opening tag: chat templates put it into the prompt.
    Tags further on belong to the answer.
    """
    opening_tag = closing_tag.replace("/", "", 1)
    blocks: list[str] = []
    rest = text
    if closing_tag in rest and not _opens(rest, opening_tag) and opening_tag not in rest[: rest.index(closing_tag)]:
        block, _, rest = rest.partition(closing_tag)
        blocks.append(block)
    while _opens(rest, opening_tag):
        block, found, after = rest.lstrip()[len(opening_tag) :].partition(closing_tag)
        blocks.append(block)
        if not found:
            return Answer("", _joined(blocks), closed=False)
        rest = after
    if not blocks:
        return Answer(text, None, closed=True)
    return Answer(rest.lstrip(), _joined(blocks), closed=True)


def _opens(text: str, opening_tag: str) -> bool:
    return text.lstrip().startswith(opening_tag)


def _joined(blocks: list[str]) -> str | None:
    return "\n".join(filter(None, map(str.strip, blocks))) or None
