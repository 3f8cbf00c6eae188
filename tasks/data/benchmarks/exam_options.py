"""Questions of an exam whose options stand in columns `A` to `D`."""

from collections.abc import Sequence
from typing import Any

from tasks.spec.findings import Finding, UserError

LETTERS = "ABCD"


def exam_row(question: str, options: Sequence[Any], answer: Any, **more: Any) -> dict[str, Any]:
    """A row with columns `question`, `A` to `D` and `answer`, a letter; `answer` may be given as an index.

    UserError unless there are four options and the answer is one of them, or unknown (an empty text).
    """
    letter = LETTERS[answer] if isinstance(answer, int) and 0 <= answer < len(LETTERS) else answer
    if len(options) != len(LETTERS) or letter not in ("", *LETTERS):
        message = f"{len(options)} options and the answer {answer!r} for the question {question!r:.60}"
        raise UserError(Finding(message, remedy="a row has four options, and its answer is one of their letters"))
    return {"question": question, **dict(zip(LETTERS, options, strict=True)), "answer": letter, **more}


def options_in(row: dict[str, Any]) -> list[Any]:
    """The values of the columns `A` to `D`."""
    return [row.get(letter) for letter in LETTERS if row.get(letter) is not None]
