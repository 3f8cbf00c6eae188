"""Post-processors for answers that are programs. All of them take linear time and never raise."""

from tasks.score.code_answer import code_answer
from tasks.score.interface import Extraction


def humaneval_postprocess_v2(text: str) -> Extraction:
    """The first fenced block that can be a program, closed or not; the whole text where nothing is fenced.

    Blank lines around it go; the first line keeps its indentation, since it may be the body of a function.
    """
    return code_answer(text, 0)


def humaneval_postprocess_v3(text: str) -> Extraction:
    """As `humaneval_postprocess_v2`, but the last block."""
    return code_answer(text, -1)
