"""Post-processors for answers that are programs. All of them take linear time and never raise."""

from tasks.score.answers.program import code_answer
from tasks.score.answers.program_tokens import mask_special_tokens
from tasks.score.answers.reasoning import mask_reasoning
from tasks.score.interface import Extraction

_ANSWER, _ANSWER_END = "[ANSWER]", "[/ANSWER]"


def humaneval_postprocess_v2(text: str) -> Extraction:
    """The first fenced block that can be a program, closed or not; the whole text where nothing is fenced.

    Blank lines around it go; the first line keeps its indentation, since it may be the body of a function.
    """
    return code_answer(text, 0)


def humaneval_postprocess_v3(text: str) -> Extraction:
    """As `humaneval_postprocess_v2`, but the last block."""
    return code_answer(text, -1)


def cruxeval_postprocess(text: str) -> Extraction:
    """What stands between the last `[ANSWER]` and `[/ANSWER]`, closed or not; else the last fenced block, or the text.

    Fences and backticks around it go.
    """
    masked = mask_special_tokens(mask_reasoning(text))
    begin = masked.rfind(_ANSWER)
    start = 0 if begin < 0 else begin + len(_ANSWER)
    stop = masked.find(_ANSWER_END, start)
    found = code_answer(masked[start : len(masked) if stop < 0 else stop], -1)
    if found.answer is None or found.span is None:
        return Extraction.unparsed()
    first, last = found.span
    answer = found.answer.strip().strip("`").strip()
    if not answer:
        return Extraction.unparsed()
    return Extraction(answer, found.rule if begin < 0 else "answer-tag", (start + first, start + last))
