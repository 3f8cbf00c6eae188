"""The answer that a pattern of the configuration finds in a text."""

import re
from typing import Any

from tasks.score.answers.next_question_cut import sections
from tasks.score.answers.option_patterns import fold, letter_pattern
from tasks.score.answers.timed_search import PatternTookTooLong, compiled, last_matches
from tasks.score.answers.visible import visible
from tasks.score.interface import Extraction, ExtractionStatus

_DECORATION = re.compile(
    r"\\(?:boxed|fbox|text(?:bf)?|mathbf|mathrm|mbox)\s?\{|\\[()\[\]]|[*_`$]{1,3}(?=\S)|(?<=\S)[*_`$]{1,3}"
    r"|[({\[【「<](?=[*_`$ ]{0,3}[A-Z0-9][*_`$ ]{0,3}[)}\]】」>])"
)


def pattern_answer(text: str, pattern: str) -> Extraction:
    """Group 1 of the pattern's last match outside reasoning, or the whole match if the pattern has no group.

    Decoration around an answer (`**B**`, `$B$`, `(B)`) is looked through where the pattern does not expect it; a
    letter that begins a word is no answer. ValueError for a pattern that cannot be read.
    """
    compiled(pattern)
    text = visible(text)
    found = (_in_section(text, start, stop, pattern) for start, stop in sections(text))
    return next((extraction for extraction in found if extraction), None) or Extraction.unparsed()


def _in_section(text: str, start: int, stop: int, pattern: str) -> Extraction | None:
    plain = text[start:stop]
    bare = _DECORATION.sub(lambda match: " " * len(match[0]), fold(plain))
    answers: dict[int, Extraction] = {}
    for variant in dict.fromkeys((plain, bare)):
        try:
            matches = last_matches(pattern, variant)
        except PatternTookTooLong:
            return Extraction(None, "pattern-took-too-long", None, ExtractionStatus.UNPARSED)
        for match in matches:
            answer, (begin, end) = _captured(match)
            if answer and not _is_part_of_words(variant, begin, answer):
                answers.setdefault(begin, Extraction(answer, "answer-pattern", (start + begin, start + end)))
    return answers[max(answers)] if answers else None


def _captured(match: Any) -> tuple[str, tuple[int, int]]:
    group = next((number for number in range(1, len(match.groups()) + 1) if match[number] is not None), 0)
    return (match[group] or "").strip(), match.span(group)


def _is_part_of_words(text: str, begin: int, answer: str) -> bool:
    """Whether one captured letter begins a word or is an article: "Answer: Because", "Answer: A person"."""
    if len(answer) != 1 or not "A" <= answer <= "Z":
        return False
    begin = text.index(answer, begin)
    return re.compile(letter_pattern(answer)).match(text, begin) is None
