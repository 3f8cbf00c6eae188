"""The post-processors a configuration can name: from a model's text, or a reference, to an answer.

All of them take linear time and never raise.
"""

from collections.abc import Sequence

from tasks.score.interface import Extraction
from tasks.score.number_text import only_value
from tasks.score.numeric_answer import numeric_answer
from tasks.score.option_answer import option_answer
from tasks.score.reasoning import answer_pieces

_GOLD_MARK = "####"


def gsm8k_postprocess(text: str) -> Extraction:
    r"""The number that a worked solution states as its answer, in one form (`9500`, `0.5`, `3/4`).

    Explicit statements come first: `\boxed{…}`, `#### …`, `the answer is …`, a line `A: …`. Only where there is none,
    the last number counts, under the rule `fallback:last-number`.
    """
    return numeric_answer(text)


def gsm8k_dataset_postprocess(text: str) -> Extraction:
    """The number behind `####` of a reference solution, or the reference itself if it is a number."""
    mark = text.rfind(_GOLD_MARK)
    start = mark + len(_GOLD_MARK) if mark >= 0 else 0
    number = only_value(text[start:])
    if number is None:
        return Extraction.unparsed()
    return Extraction(number, _GOLD_MARK if mark >= 0 else "number", (start, len(text)))


def first_option_postprocess(text: str, options: str | Sequence[str], cushion: bool = False) -> Extraction:
    """The letter of `options` (`'ABCD'`) that the text states as its answer, upper or lower case as given.

    Nothing is guessed unless `cushion` asks for it; what it finds has the rule `fallback:…`. Statements that
    contradict each other make the answer ambiguous unless the text ends with one of them.
    """
    return option_answer(text, "".join(options), cushion)


def extract_non_reasoning_content(
    text: str, think_start_token: str = "<think>", think_end_token: str = "</think>"
) -> Extraction:
    """The text without its reasoning, stripped; unparsed where nothing is left, as when the reasoning never closed."""
    pieces = answer_pieces(text, think_start_token, think_end_token)
    content = "".join(text[start:stop] for start, stop in pieces).strip()
    if not content:
        return Extraction.unparsed()
    span = (pieces[0][0], pieces[-1][1])
    return Extraction(
        content, "whole-text" if span == (0, len(text)) and len(pieces) == 1 else "outside-reasoning", span
    )
