"""The short answer to an open question: what the text announces, else its first line."""

import re

from tasks.score.answers.latex import boxes, without_text_commands
from tasks.score.answers.next_question_cut import sections
from tasks.score.answers.statements import Statement, box_content, in_order
from tasks.score.answers.visible import visible
from tasks.score.interface import Extraction

_FORMS = ("box", "tag", ("answer-is", "答案是"), ("heading", "answer:", "A:"), "last ####")
_DECORATION = ' \t*_`"“”'
_BEFORE = _DECORATION + ":：\r\n\x1e"
_WORD = re.compile(r"(?<![\\A-Za-z])[^\W\d_]{2,}")
_MOST_WORDS = 3
"""Of a text that is an answer and nothing else."""
_LONGEST = 400
_SENTENCE_END = re.compile(r"[.!?。！？](?=\s|[*_]{1,3}(?:\s|$)|$)|[。！？\n]")


def short_answer(text: str) -> Extraction:
    """What the text boxes, else tags, else the line behind the last "answer is", behind the last "Answer:" or "A:",
    below a heading, else the first line.

    Never raises, takes linear time.
    """
    text = visible(text)
    for start, stop in sections(text):
        if found := stated_line(text, start, stop) or _line(text, start, stop, "first-line"):
            return found
    return Extraction.unparsed()


def stated_line(text: str, start: int, stop: int) -> Extraction | None:
    """The line that a statement announces, without the decoration around it."""
    for statement in in_order(text, start, stop, _FORMS):
        if found := _of_statement(text, statement):
            return found
    return None


def stated_clause(text: str) -> Extraction:
    """The sentence that the text announces as its answer, else what it boxes, else the text if it is one line."""
    text = visible(text)
    for start, stop in sections(text):
        for statement in in_order(
            text, start, stop, (("answer-is", "答案是"), "box", "tag", ("heading", "answer:"), "last ####")
        ):
            if found := _of_statement(text, statement):
                return _first_sentence(text, found)
    start, stop = next(iter(sections(text)))
    whole = _line(text, start, stop, "whole-text")
    is_answer = len(text[start:stop].strip()) <= _LONGEST and len(_WORD.findall(text, start, stop)) <= _MOST_WORDS
    return whole if whole and is_answer and "\n" not in text[start:stop].strip() else Extraction.unparsed()


def _of_statement(text: str, statement: Statement) -> Extraction | None:
    if statement.form == "box":
        content = box_content(text, statement)
        return Extraction(content, "box", (statement.begin, statement.limit)) if content else None
    return _line(text, statement.begin, statement.limit, statement.form)


def _first_sentence(text: str, found: Extraction) -> Extraction:
    start, stop = found.span or (0, 0)
    end = _SENTENCE_END.search(text, start, stop)
    if end is None or end.start() == start or boxes(text[start:stop]):
        return found
    answer = text[start : end.start()].strip(_DECORATION)
    return Extraction(answer, found.rule, (start, end.start())) if answer else found


def _line(text: str, start: int, stop: int, rule: str) -> Extraction | None:
    """The first line from `start` on that says anything."""
    rest = text[start:stop]
    start += len(rest) - len(rest.lstrip(_BEFORE))
    end = text.find("\n", start, stop)
    line = text[start : stop if end < 0 else end].rstrip()
    boxed = boxes(line)
    answer = (without_text_commands(boxed[-1].content) if boxed else line).strip(_DECORATION)
    return Extraction(answer, rule, (start, start + len(line))) if answer else None
