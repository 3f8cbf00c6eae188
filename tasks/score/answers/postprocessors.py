"""The post-processors a configuration can name: from a model's text, or a reference, to an answer.

All of them take linear time and never raise.
"""

import re
from collections.abc import Mapping, Sequence

from tasks.score.answers.number import numeric_answer
from tasks.score.answers.number_text import only_value
from tasks.score.answers.option import option_answer
from tasks.score.answers.reasoning import answer_pieces
from tasks.score.answers.short_text import short_answer
from tasks.score.answers.visible import visible
from tasks.score.answers.words import answer_words
from tasks.score.interface import Extraction, ExtractionStatus

_GOLD_MARK = "####"
_LONGEST_ALIAS = 400
_CLAUSE_END = re.compile(r"[.,;:!。，；！]")


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


def first_option_postprocess(
    text: str,
    options: str | Sequence[str],
    cushion: bool = False,
    aliases: Mapping[str, str | Sequence[str]] | None = None,
) -> Extraction:
    """The letter of `options` (`'ABCD'`) that the text states as its answer, upper or lower case as given.

    Nothing is guessed unless `cushion` asks for it; what it finds has the rule `fallback:…`. Statements that
    contradict each other make the answer ambiguous unless the text ends with one of them. `aliases` are words that
    stand for a letter where the text states none: `{"A": ["yes", "true"], "B": ["no", "false"]}`.
    """
    letters = "".join(options)
    if aliases:
        stated = option_answer(text, letters)
        if stated.status is not ExtractionStatus.UNPARSED:
            return stated
        if named := _named(text, aliases):
            return named
    return option_answer(text, letters, cushion)


def _named(text: str, aliases: Mapping[str, str | Sequence[str]]) -> Extraction | None:
    """The letter whose alias the text states, its first clause is, or its last line consists of."""
    found = short_answer(text)
    last_line = visible(text).rstrip().rpartition("\n")[2]
    clauses = [_CLAUSE_END.split(found.answer or "", maxsplit=1)[0]]
    clauses += [last_line] if found.rule == "first-line" else []
    for clause in clauses:
        words = answer_words(clause[:_LONGEST_ALIAS])
        for letter, names in aliases.items():
            known = [names] if isinstance(names, str) else names
            if words and any(words == answer_words(name) for name in known):
                return Extraction(letter, "alias", found.span)
    return None


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
