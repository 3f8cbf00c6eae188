"""The answers to BIG-Bench Hard (Suzgun et al. 2022, arXiv:2210.09261): an option, or a short text of one line."""

import re

from tasks.score.answers.latex import boxes, without_text_commands
from tasks.score.answers.next_question_cut import sections
from tasks.score.answers.option import option_answer
from tasks.score.answers.short_text import stated_clause
from tasks.score.answers.statements import in_order
from tasks.score.answers.visible import visible
from tasks.score.interface import Extraction, ExtractionStatus

LETTERS = "ABCDEFGHIJKLMNOPQR"
"""The benchmark has up to 18 options."""

_FORMS = (("answer-is", "answer:", "heading", "答案是"), "tag", "last ####")
_LINE = re.compile(r"[\s*_]{0,99}+([^\n]*)")
_BOLD = re.compile(r"\*\*([^*\n]{1,400})\*\*")
_VERDICT = re.compile(
    r"(?P<word>yes|no|true|false|valid|invalid)(?=[\s*_]{0,4}(?:[.,;:!()—–]|$)|\s(?:because|since|as)\b)", re.IGNORECASE
)
_NUMBER = re.compile(
    r"\$?([-−–]?\d[\d,]{0,99}(?:\.\d{1,99})?)\$?(?=[*_]{0,4}(?:[.,;!]?$|[.,;!]\s|\s(?:because|since|as)\b))"
)
_PAIRS = ('""', "''", "``", "$$", "“”", "‘’")
_BREAK = re.compile(r"[.!?]\s")
_CAPITALISED = ("yes", "no", "true", "false")
_LONGEST = 400
_REFERENCES_OF_WORDS = frozenset({"monsters, inc", "rita, sue and bob poo", "dearth, wind, & fire"})


def bbh_mcq_postprocess(text: str) -> Extraction:
    """The letter of the option that the text states as its answer.

    Nothing is guessed. Three references of the benchmark are no letters, since their options were cut at commas; a text
    that is or announces one of those gives its words.
    """
    found = option_answer(text, LETTERS)
    if found.status is not ExtractionStatus.UNPARSED:
        return found
    for words in (str(stated_clause(text).answer or ""), visible(text)):
        bare = _bare(words.strip()[:_LONGEST])
        if bare.casefold() in _REFERENCES_OF_WORDS:
            return Extraction(bare, "words")
    return found


def bbh_freeform_postprocess(text: str) -> Extraction:
    """The short answer behind the last `answer is`, in a box, on a last line of its own, or that is all there is.

    Bold type, quotes and a final full stop are dropped; of `yes, because …` the verdict is left, as `Yes`.
    """
    text = visible(text)
    parts = sections(text)
    for start, stop in parts:
        if stated := _stated(text, start, stop) or _boxed(text, start, stop):
            return stated
    start, stop = parts[0]
    return _whole(text, start, stop) or _last_line(text, start, stop) or Extraction.unparsed()


def _stated(text: str, start: int, stop: int) -> Extraction | None:
    for statement in in_order(text, start, stop, _FORMS):
        line = _LINE.match(text, statement.begin, statement.limit)
        boxed = boxes(line[1]) if line else []
        answer = _short(without_text_commands(boxed[-1].content) if boxed else line[1]) if line else ""
        if line and answer:
            return Extraction(answer, statement.form, line.span(1))
    return None


def _boxed(text: str, start: int, stop: int) -> Extraction | None:
    found = boxes(text[start:stop])
    answer = _short(without_text_commands(found[-1].content)) if found else ""
    return Extraction(answer, "box", (start + found[-1].span[0], start + found[-1].span[1])) if answer else None


def _whole(text: str, start: int, stop: int) -> Extraction | None:
    """A text that is one line and one phrase."""
    line = text[start:stop].strip()
    if len(line) > _LONGEST or "\n" in line or _BREAK.search(line):
        return None
    answer = _short(line)
    return Extraction(answer, "whole-text", (start, stop)) if answer else None


def _last_line(text: str, start: int, stop: int) -> Extraction | None:
    """A last line that is all bold, or nothing but a verdict or a number."""
    end = start + len(text[start:stop].rstrip())
    begin = max(text.rfind("\n", start, end) + 1, start)
    line = text[begin:end].strip()
    bare = line[:_LONGEST].strip("*_ ").removesuffix(".")
    is_alone = any(pattern.fullmatch(bare) for pattern in (_VERDICT, _NUMBER)) or _BOLD.fullmatch(line)
    return Extraction(_short(line), "last-line", (begin, end)) if is_alone and _short(line) else None


def _short(line: str) -> str:
    """The answer that a line begins with, without decoration; empty if it is too long for one."""
    is_long = len(line) > _LONGEST
    line = _bare(line[:_LONGEST])
    if (bold := _BOLD.match(line)) and not _bare(bold[1]).endswith(":"):
        line = _bare(bold[1])
    if found := _VERDICT.match(line):
        word = found["word"]
        return word.capitalize() if word.lower() in _CAPITALISED else word
    number = _NUMBER.match(line)
    if number:
        return number[1]
    return "" if is_long else line


def _bare(line: str) -> str:
    """Without a final full stop, and what stands around the whole."""
    before = None
    while line != before:
        before = line
        line = line.strip().removesuffix(".").removesuffix("。").rstrip()
        if line.startswith("**") == line.endswith("**") and len(line) > 4 and "**" not in line[2:-2]:
            line = line.strip("*")
        line = line.removesuffix("**") if line.count("**") == 1 else line
        if len(line) > 1 and line[0] + line[-1] in _PAIRS:
            line = line[1:-1]
    return line
