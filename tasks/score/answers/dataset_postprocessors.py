"""Post-processors of single datasets, under OpenCompass's names. All take linear time and never raise."""

import re

from tasks.score.answers.chinese_words import chinese_words
from tasks.score.answers.short_text import short_answer
from tasks.score.answers.text_postprocessors import match_answer_pattern
from tasks.score.answers.truth import truth_answer
from tasks.score.answers.visible import TURN_END, visible
from tasks.score.interface import Extraction, ExtractionStatus

_ITEM = re.compile(r"(?:[-*•]|1[.)、])\s+")
_LINE_END = re.compile(rf"[\n{TURN_END}]")
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
    """What the text announces as its answer (答案是, "Answer:"), else its first line."""
    return short_answer(text)


def strategyqa_pred_postprocess(text: str) -> Extraction:
    """`yes` or `no`: what the text states, else what its first line begins with or its last line consists of."""
    found = truth_answer(text)
    if found.status is not ExtractionStatus.FOUND:
        return found
    return Extraction("yes" if found.answer else "no", found.rule, found.span)


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
    text = visible(text)
    start = len(text) - len(text.lstrip())
    line = _LINE_END.split(text[start:], maxsplit=1)[0].rstrip()
    return Extraction(line, "first-line", (start, start + len(line))) if line else Extraction.unparsed()
