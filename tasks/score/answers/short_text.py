"""The short answer to an open question: what the text announces, else its first line."""

import re
from collections import deque

from tasks.score.answers.next_question_cut import sections
from tasks.score.answers.reasoning import mask_reasoning
from tasks.score.interface import Extraction

_IS = re.compile(
    r"\banswer\s{1,3}(?:(?:to|for)\b[^.\n:]{1,100}?\s)?(?:is|was|would\s{1,3}be)\b[*_]{0,3}\s{0,3}:?", re.IGNORECASE
)
_LABEL = re.compile(
    r"\banswer[*_]{0,3}[ \t]{0,3}[:：]|^[ \t*_]{0,6}A[*_]{0,3}[:：]|答案[ \t*_]{0,6}[:：]", re.IGNORECASE | re.MULTILINE
)
_DECORATION = ' \t*_`"“”'
_MOST_STATEMENTS = 32


def short_answer(text: str, *, labels: bool = True) -> Extraction:
    """The line behind the last "answer is", with `labels` else behind the last "Answer:" or "A:", else the first line.

    Never raises, takes linear time.
    """
    text = mask_reasoning(text)
    for start, stop in sections(text):
        for rule, cue in (("answer-is", _IS), ("answer:", _LABEL))[: 1 + labels]:
            for match in reversed(deque(cue.finditer(text, start, stop), maxlen=_MOST_STATEMENTS)):
                if found := _line(text, match.end(), stop, rule):
                    return found
        if found := _line(text, start, stop, "first-line"):
            return found
    return Extraction.unparsed()


def _line(text: str, start: int, stop: int, rule: str) -> Extraction | None:
    """The first line from `start` on that says anything."""
    rest = text[start:stop]
    start += len(rest) - len(rest.lstrip(_DECORATION + "\r\n"))
    end = text.find("\n", start, stop)
    line = text[start : stop if end < 0 else end].rstrip()
    answer = line.strip(_DECORATION)
    return Extraction(answer, rule, (start, start + len(line))) if answer else None
