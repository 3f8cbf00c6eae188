r"""The number a worked solution states as its answer: explicit statements first, guesses last and named so."""

import re
from collections import deque
from collections.abc import Iterator

from tasks.score.answers.latex import Box, boxes, last_group, without_text_commands
from tasks.score.answers.next_question_cut import sections
from tasks.score.answers.number_text import Value, value_at, values
from tasks.score.answers.reasoning import mask_reasoning
from tasks.score.interface import Extraction, ExtractionStatus

_HASHES = re.compile(r"(?<!#)####(?!#)")
_CUE = re.compile(
    r"(?P<is>\banswer\s{1,3}(?:(?:to|of|for)\b[^.\n:]{1,100}?\s)?(?:is|was|equals|(?:would|will|should|must)\s{1,3}be)\b"
    r"|答案(?:应该|应|就)?(?:是|为|等于))|\banswer[*_ ]{0,6}[:：=]|答案[*_ ]{0,6}[:：=]",
    re.IGNORECASE,
)
_A_LINE = re.compile(r"^[ \t*_]{0,6}A[*_]{0,3}:", re.MULTILINE)
_DECORATION = re.compile(
    r"(?:[\s*_`\"'“”‘’:：=≈~$€£¥₹\\(\[{<>#]|text|mathrm|approximately|about|roughly|exactly|only|just|therefore|thus|indeed|USD|Rs\.?){0,40}+"
)
_SENTENCE_END = re.compile(r"[.!?。！？](?=\s|$)|[。！？\n]")
_UNITS = re.compile(r"[^\d\n]{0,60}$")
_OPERATOR = re.compile(r"\s{0,3}(?:[=+×÷^·/]|\\times|\\div|\\cdot|[-−–*xX]\s?[$\d])|\*\*\s?=")
_NEXT_OF_LIST = re.compile(r"[\s*_$]{0,4}(?:,|;|and\b|or\b|、|和|或)\s{0,3}[$\\]{0,2}\d")
_CLOSE_LIST = re.compile(r"(?:[,;、和或]|\s(?:and|or)\s)[$\\]{0,2}\d")
_DIGIT_AT_END = re.compile(r".*\d", re.DOTALL)
_LONGEST_STATEMENT = 200
_MOST_STATEMENTS = 64
_SEVERAL = "several"


def numeric_answer(text: str) -> Extraction:
    """The stated number in one form, e.g. `9500`, `0.5`, `3/4`; never raises, takes linear time."""
    text = mask_reasoning(text)
    parts = sections(text)
    for start, stop in parts:
        if stated := _stated(text, start, stop):
            return stated
    for start, stop in parts:
        if value := _last_value(text, start, stop):
            return Extraction(value.text, "fallback:last-number", value.span)
    return Extraction.unparsed()


def _stated(text: str, start: int, stop: int) -> Extraction | None:
    found = (find(text, start, stop) for find in (_boxed, _hashed, _announced, _a_line))
    return next(filter(None, found), None)


def _boxed(text: str, start: int, stop: int) -> Extraction | None:
    section = text[start:stop]
    found = boxes(section)
    while found:
        group = last_group(found, section)
        answers = {answer for box in group if (answer := _box_answer(box)) is not None}
        span = (start + group[0].span[0], start + group[-1].span[1])
        if answers:
            several = len(answers) > 1 or answers == {_SEVERAL}
            return (
                Extraction(None, "box", span, ExtractionStatus.AMBIGUOUS)
                if several
                else Extraction(answers.pop(), "box", span)
            )
        found = found[: -len(group)]
    return None


def _box_answer(box: Box) -> str | None:
    """The number in a box, None if it holds none, `_SEVERAL` if it holds several."""
    if len(box.content) > _LONGEST_STATEMENT:
        return None
    content = without_text_commands(box.content)
    content = content[content.rfind("=") + 1 :]
    direct = _direct(content, 0, len(content))
    if direct and not _NEXT_OF_LIST.match(content, direct.span[1]) and not _OPERATOR.match(content, direct.span[1]):
        return direct.text
    numbers = {value.text for value in values(content)}
    if len(numbers) > 1:
        return _SEVERAL
    return numbers.pop() if numbers else None


def _hashed(text: str, start: int, stop: int) -> Extraction | None:
    for mark in _last(_HASHES, text, start, stop):
        end = _line_end(text, mark.end(), stop)
        value = _direct(text, mark.end(), end)
        # "#### 2. Add them up" is a heading, not an answer.
        if value and not re.match(r"[.)]\s+\S", text[value.span[1] : end]):
            return Extraction(value.text, "####", value.span)
    return None


def _announced(text: str, start: int, stop: int) -> Extraction | None:
    limit = stop
    for cue in _last(_CUE, text, start, stop):
        value = _after_cue(text, cue, limit)
        limit = cue.start()
        if value:
            return Extraction(value.text, "answer-is" if cue["is"] else "answer:", value.span)
    return None


def _after_cue(text: str, cue: re.Match[str], limit: int) -> Value | None:
    limit = min(limit, cue.end() + _LONGEST_STATEMENT)
    begin = _skip_decoration(text, cue.end(), limit)
    sentence = _SENTENCE_END.search(text, begin, limit)
    end = sentence.start() if sentence else limit
    value = _of_sentence(text, begin, end)
    # "Answer: She buys 3 …, so …" opens a solution; only a short answer may stand behind the colon.
    rest = text[value.span[1] : _line_end(text, end, limit)] if value and not cue["is"] else ""
    return None if any(character.isdigit() for character in rest) else value


def _of_sentence(text: str, begin: int, end: int) -> Value | None:
    """The number a sentence gives: at its start, else behind its last `=`, else its only one."""
    direct = value_at(text, begin, end)
    if direct and not _OPERATOR.match(text, direct.span[1], end):
        return None if _CLOSE_LIST.match(text, direct.span[1], end) else direct
    equals = text.rfind("=", begin, end)
    if equals >= 0 and (value := _direct(text, equals + 1, end)):
        return value
    numbers = [] if direct else list(values(text, begin, end))
    return numbers[0] if len({number.text for number in numbers}) == 1 else None


def _a_line(text: str, start: int, stop: int) -> Extraction | None:
    for mark in _last(_A_LINE, text, start, stop):
        end = _line_end(text, mark.end(), stop)
        value = _direct(text, mark.end(), end)
        if value and not _OPERATOR.match(text, value.span[1], end) and _UNITS.match(text, value.span[1], end):
            return Extraction(value.text, "A:", value.span)
    return None


def _last(pattern: re.Pattern[str], text: str, start: int, stop: int) -> Iterator[re.Match[str]]:
    """The last matches, latest first."""
    return reversed(deque(pattern.finditer(text, start, stop), maxlen=_MOST_STATEMENTS))


def _last_value(text: str, start: int, stop: int) -> Value | None:
    last_digit = _DIGIT_AT_END.match(text, start, stop)
    if last_digit is None:
        return None
    begin = max(start, last_digit.end() - 2 * _LONGEST_STATEMENT)
    while start < begin and begin > last_digit.end() - 6 * _LONGEST_STATEMENT and text[begin - 1] in "0123456789.,":
        begin -= 1
    last = next(iter(deque(values(text, begin, last_digit.end()), maxlen=1)), None)
    is_cut = begin > start and text[begin - 1].isdigit() and last is not None and last.span[0] == begin
    return None if is_cut else last


def _direct(text: str, start: int, stop: int) -> Value | None:
    """The number at `start`, behind nothing but decoration."""
    return value_at(text, _skip_decoration(text, start, stop), stop)


def _skip_decoration(text: str, start: int, stop: int) -> int:
    decoration = _DECORATION.match(text, start, stop)
    return decoration.end() if decoration else start


def _line_end(text: str, start: int, stop: int) -> int:
    end = text.find("\n", start, stop)
    return stop if end < 0 else end
