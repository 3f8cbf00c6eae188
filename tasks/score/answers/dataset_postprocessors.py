"""Post-processors of single datasets, under OpenCompass's names. All take linear time and never raise."""

import re

from tasks.score.answers.chinese_words import chinese_words
from tasks.score.answers.reasoning import mask_reasoning
from tasks.score.answers.short_text import short_answer
from tasks.score.answers.text_postprocessors import match_answer_pattern
from tasks.score.interface import Extraction, ExtractionStatus

_ITEM = re.compile(r"(?:[-*•]|1[.)、])\s+")
_ANSWER_IS = re.compile(r"答案[是为][:：]?")
_DECISION = re.compile(r"\W*(yes|no|true|false)\b", re.IGNORECASE)
_GPQA_ANSWER = r"(?i)ANSWER\s*:\s*([A-D])"


def Xsum_postprocess(text: str) -> Extraction:  # noqa: N802  configurations import it by this name
    """The first line that says anything, without the mark of a list's item."""
    return _first_line(text)


def lcsts_postprocess(text: str) -> Extraction:
    """The first line that says anything, without the mark of a list's item."""
    return _first_line(text)


def first_line_postprocess(text: str) -> Extraction:
    """The first line that says anything."""
    return _line(text)


def flores_postprocess(text: str) -> Extraction:
    """The first line that says anything."""
    return _line(text)


def flores_postprocess_chinese(text: str) -> Extraction:
    """The first line that says anything, cut into words by jieba and joined by blanks."""
    line = _line(text)
    if line.status is not ExtractionStatus.FOUND:
        return line
    return Extraction(" ".join(chinese_words(line.answer)), line.rule, line.span)


flores_postprocess_chinese.libraries = ("jieba",)  # pyright: ignore[reportFunctionMemberAccess]


def triviaqa_postprocess(text: str) -> Extraction:
    """What the text announces as its answer, else its first line."""
    return short_answer(text)


def cmrc_postprocess(text: str) -> Extraction:
    """What stands behind the last 答案是 or "Answer:", else the first line."""
    masked = mask_reasoning(text)
    start = max((match.end() for match in _ANSWER_IS.finditer(masked)), default=-1)
    found = _line(masked[start:]) if start >= 0 else Extraction.unparsed()
    if found.span is None:
        return short_answer(text)
    return Extraction(found.answer, "答案是", (start + found.span[0], start + found.span[1]))


def strategyqa_pred_postprocess(text: str) -> Extraction:
    """`yes` or `no`, where what the text announces as its answer, or its first line, begins with it."""
    found = short_answer(text)
    decision = _DECISION.match(found.answer or "")
    if decision is None:
        return Extraction.unparsed()
    return Extraction("yes" if decision[1].lower() in ("yes", "true") else "no", found.rule, found.span)


def strategyqa_dataset_postprocess(text: str) -> Extraction:
    """`yes` for a reference that is true, else `no`."""
    return Extraction("yes" if str(text).lower() in ("yes", "true") else "no", "reference")


def GPQA_Simple_Eval_postprocess(text: str) -> Extraction:  # noqa: N802  configurations import it by this name
    """The letter A to D behind the last `Answer:`."""
    return match_answer_pattern(text, _GPQA_ANSWER)


def _first_line(text: str) -> Extraction:
    line = _line(text)
    item = _ITEM.match(line.answer) if line.answer else None
    if item is None or line.span is None:
        return line
    return Extraction(line.answer[item.end() :], line.rule, (line.span[0] + item.end(), line.span[1]))


def _line(text: str) -> Extraction:
    text = mask_reasoning(text)
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    line = text[start : len(text) if end < 0 else end].rstrip()
    return Extraction(line, "first-line", (start, start + len(line))) if line else Extraction.unparsed()
