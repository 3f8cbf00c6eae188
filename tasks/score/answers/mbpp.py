"""The program in an answer to MBPP, whose prompts put programs between `[BEGIN]` and `[DONE]`."""

from tasks.score.answers.program import code_answer
from tasks.score.answers.program_tokens import mask_special_tokens
from tasks.score.answers.reasoning import mask_reasoning
from tasks.score.interface import Extraction

_BEGIN, _DONE = "[BEGIN]", "[DONE]"
_QUOTES = ("'", '"')


def mbpp_answer(text: str) -> Extraction:
    """What stands before the first `[DONE]`, behind the last `[BEGIN]` there; of that the first fenced block, if any.

    The prompt may have said `[BEGIN]` already, and a model goes on with tasks of its own after `[DONE]`. Quotes around
    the whole program go. Never raises, takes linear time.
    """
    masked = mask_special_tokens(mask_reasoning(text))
    stop = masked.find(_DONE)
    stop = len(masked) if stop < 0 else stop
    begin = masked.rfind(_BEGIN, 0, stop)
    start = 0 if begin < 0 else begin + len(_BEGIN)
    found = code_answer(masked[start:stop], 0)
    if found.answer is None or found.span is None:
        return Extraction.unparsed()
    first, last = found.span
    rule = found.rule if start == 0 and stop == len(masked) else f"begin-done:{found.rule}"
    return Extraction(_unquoted(found.answer), rule, (start + first, start + last))


def _unquoted(code: str) -> str:
    bare = code.strip()
    if len(bare) > 1 and bare[0] == bare[-1] and bare[0] in _QUOTES and not bare.startswith(bare[0] * 3):
        return bare[1:-1].strip("\n")
    return code
