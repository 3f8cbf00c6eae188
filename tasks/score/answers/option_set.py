"""The options that an answer to a multiple-select question names: "ABD", "A, B and D", "答案：A、C"."""

import re
from collections import deque
from functools import cache

from tasks.score.answers.next_question_cut import sections
from tasks.score.answers.option_patterns import fold
from tasks.score.answers.reasoning import mask_reasoning
from tasks.score.interface import Extraction

_DECORATION = r"(?:[\s*_`\"'“”‘’$(){}\[\]【】「」『』《》<>#]|\\(?:boxed|text(?:bf)?|math(?:bf|rm)|mbox)){0,12}+"
_SEPARATOR = r"(?:[\s,;、，；/&+*_)(\]\[】【]|和|与|及|或|选项|(?i:and|or|option|choice)s?\b){0,9}+"
_CUE = re.compile(
    r"\\(?:boxed|fbox)(?=\s?\{)|(?i:\banswers?|\boptions?|\bchoices?)(?i:\s(?:is|are|would\sbe|should\sbe)\b)?[\s*_]{0,4}[:=]"
    r"|(?i:\banswers?|\boptions?|\bchoices?)\s(?i:is|are|would\sbe|should\sbe)\b(?:\s(?i:therefore|thus|hence)\b)?"
    r"|答案(?:应该|应|就)?(?:是|为|选)?[\s*_]{0,4}[::]?|(?:应该|应|故|所以|因此|正确)选(?:择|项)?(?:是|为|[::])?|(?<![一-鿿])选(?:择)?[::]?"
)
_MOST_STATEMENTS = 64
_LONGEST_LINE = 200


@cache
def _group(letters: str) -> re.Pattern[str]:
    """A run or list of letters that stands alone: "ABD", "A, B and D", "(A)(C)"."""
    run = f"[{re.escape(letters)}]{{1,{len(letters)}}}"
    alone = rf"(?<![A-Za-z0-9]){run}(?![A-Za-z0-9'’+#])"
    return re.compile(rf"{_DECORATION}(?P<set>{alone}(?:{_SEPARATOR}{alone}){{0,{len(letters)}}})")


_REST_OF_LINE = re.compile(r"[\s*_`\"'“”‘’$(){}\[\]【】「」『』《》<>。.,;:、!\\]{0,40}")


def option_set(text: str, letters: str) -> Extraction:
    """The letters named together as the answer, each once, in the order of naming; never raises, takes linear time.

    What counts is the last statement ("answer: …", a box), else a first or last line that holds nothing but letters.
    """
    text = mask_reasoning(fold(text))
    group = _group(letters)
    for start, stop in sections(text):
        for find in (_stated, _alone):
            if match := find(text, start, stop, group):
                chosen = dict.fromkeys(character for character in match["set"] if character in letters)
                return Extraction(
                    "".join(chosen), "answer-set" if find is _stated else "line-of-letters", match.span("set")
                )
    return Extraction.unparsed()


def _stated(text: str, start: int, stop: int, group: re.Pattern[str]) -> re.Match[str] | None:
    cues = deque(_CUE.finditer(text, start, stop), maxlen=_MOST_STATEMENTS)
    matches = (group.match(text, cue.end(), stop) for cue in reversed(cues))
    return next((match for match in matches if match and not _opens_a_sentence(text, match, stop)), None)


def _opens_a_sentence(text: str, match: re.Match[str], stop: int) -> bool:
    """ "Answer: A person who walks": the letter is an article or a pronoun."""
    follows = re.compile(r"\s{1,3}[a-z]").match(text, match.end(), stop)
    return match["set"][-1] in "AI" and follows is not None and len(match["set"]) == 1


def _alone(text: str, start: int, stop: int, group: re.Pattern[str]) -> re.Match[str] | None:
    section = text[start:stop]
    first = start + len(section) - len(section.lstrip())
    end = text.find("\n", first, stop)
    last = start + len(section.rstrip())
    for begin, finish in ((first, stop if end < 0 else end), (max(text.rfind("\n", start, last) + 1, start), last)):
        if finish - begin <= _LONGEST_LINE and (match := group.match(text, begin, finish)):
            rest = _REST_OF_LINE.fullmatch(text, match.end(), finish)
            if rest:
                return match
    return None
