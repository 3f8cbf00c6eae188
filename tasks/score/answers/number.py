r"""The number a worked solution states as its answer: explicit statements first, guesses last and named so."""

import re
from collections import deque

from tasks.score.answers.latex import Box, boxes, last_group, without_text_commands
from tasks.score.answers.next_question_cut import sections
from tasks.score.answers.number_text import Value, tokens, value_at, values
from tasks.score.answers.statements import Statement, in_order
from tasks.score.answers.visible import visible
from tasks.score.interface import Extraction, ExtractionStatus

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
_LONGEST_WORD = 40
_SEVERAL = "several"
_FORMS = ("####", ("tag", "answer-is", "答案是", "heading", "answer:"), "A:")
_OPENS_A_SOLUTION = ("answer:", "heading")


def numeric_answer(text: str) -> Extraction:
    """The stated number in one form, e.g. `9500`, `0.5`, `3/4`; never raises, takes linear time."""
    text = visible(text)
    parts = sections(text)
    for start, stop in parts:
        if stated := _stated(text, start, stop):
            return stated
    for start, stop in parts:
        if _states_something_else(text, start, stop):
            return Extraction.unparsed()
        if value := _last_value(text, start, stop):
            return Extraction(value.text, "fallback:last-number", value.span)
    return Extraction.unparsed()


def number_of_clause(text: str) -> str | None:
    """The number that a clause such as `2041 meters` or `that the firm hires 200 workers` gives, in one form."""
    text = text[:_LONGEST_STATEMENT]
    value = _of_sentence(text, _skip_decoration(text, 0, len(text)), len(text))
    return value.text if value else None


def _stated(text: str, start: int, stop: int) -> Extraction | None:
    if boxed := _boxed(text, start, stop):
        return boxed
    for statement in in_order(text, start, stop, _FORMS):
        if value := _READ.get(statement.form, _announced)(text, statement):
            return Extraction(value.text, statement.form, value.span)
    return None


def _states_something_else(text: str, start: int, stop: int) -> bool:
    """Whether a box or `####` holds something other than a number: then nothing is guessed from the rest."""
    for statement in in_order(text, start, stop, ("box", "####")):
        line = text[statement.begin : min(statement.limit, _line_end(text, statement.begin, stop))].strip()
        is_heading = statement.form == "####" and re.match(r"\d{0,3}[.)]\s|\D*$", line)
        if line and not is_heading:
            return True
    return False


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
    found = list(tokens(content, 0, len(content)))
    numbers = {value.text for value in found if value}
    if None in found or not numbers:
        return None
    return _SEVERAL if len(numbers) > 1 else numbers.pop()


def _hashed(text: str, statement: Statement) -> Value | None:
    end = _line_end(text, statement.begin, statement.limit)
    value = _of_sentence(text, _skip_decoration(text, statement.begin, end), end)
    # "#### 2. Add them up" is a heading, not an answer.
    return None if value and re.match(r"[.)]\s+\S", text[value.span[1] : end]) else value


def _announced(text: str, statement: Statement) -> Value | None:
    limit = min(statement.limit, statement.begin + _LONGEST_STATEMENT)
    begin = _skip_decoration(text, statement.begin, limit)
    sentence = _SENTENCE_END.search(text, begin, limit)
    end = sentence.start() if sentence else limit
    value = _of_sentence(text, begin, end)
    if value is None or statement.form not in _OPENS_A_SOLUTION:
        return value
    # "Answer: She buys 3 …, so …" opens a solution; only a short answer may stand behind the colon.
    rest = text[value.span[1] : _line_end(text, end, limit)]
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


def _a_line(text: str, statement: Statement) -> Value | None:
    end = _line_end(text, statement.begin, statement.limit)
    value = _direct(text, statement.begin, end)
    if value is None or _OPERATOR.match(text, value.span[1], end) or not _UNITS.match(text, value.span[1], end):
        return None
    return value


_READ = {"####": _hashed, "A:": _a_line}


def _last_value(text: str, start: int, stop: int) -> Value | None:
    last_digit = _DIGIT_AT_END.match(text, start, stop)
    if last_digit is None:
        return None
    begin = max(start, last_digit.end() - 2 * _LONGEST_STATEMENT)
    while start < begin and begin > last_digit.end() - 6 * _LONGEST_STATEMENT and text[begin - 1] in "0123456789.,":
        begin -= 1
    last = next(iter(deque(tokens(text, begin, min(stop, last_digit.end() + _LONGEST_WORD)), maxlen=1)), None)
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
