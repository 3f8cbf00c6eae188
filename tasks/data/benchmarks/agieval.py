"""AGIEval: admission and qualification exams in English and Chinese (Zhong et al. 2023, arXiv:2304.06364)."""

from collections.abc import Sequence
from typing import Any

from tasks.data.files import read_jsonl
from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset

_LETTERS = "ABCDEFG"


class AGIEvalDataset_v2(BaseDataset):  # noqa: N801  OpenCompass's name
    """Columns `question` (with its passage), `options` (a lettered line each), `A`, `B`, … and `label`.

    The label is a letter, several in alphabetical order, or an answer in words or figures where there are no options.
    """

    @staticmethod
    def load(
        path: str = "opencompass/agieval",
        name: str = "",
        setting_name: str = "zero-shot",  # noqa: ARG004
    ) -> list[dict[str, Any]]:
        """The rows of the set `name` from `<name>.jsonl` in the folder `path`.

        `setting_name` is accepted for compatibility: the configuration says what is asked.
        """
        return [_row(row) for row in read_jsonl(file_in(path, f"{name}.jsonl"))]


def _row(row: dict[str, Any]) -> dict[str, Any]:
    options = _without_marks(row.get("options") or ())
    passage = (row.get("passage") or "").strip()
    return {
        "question": f"{passage}\n{row['question'].strip()}".strip(),
        "options": "\n".join(f"{letter}. {text}" for letter, text in options.items()),
        "label": "".join(sorted(set(row["label"]) & set(_LETTERS))) if row.get("label") else str(row["answer"]),
        **options,
    }


def _without_marks(options: Sequence[str]) -> dict[str, str]:
    """The options by letter, without the letter that the files have before them: `(A)…`, `A．…`, `A …`."""
    lettered = dict(zip(_LETTERS, (option.strip() for option in options), strict=False))
    bare = all(text.startswith(f"{letter} ") for letter, text in lettered.items())
    return {letter: _without_mark(text, letter, bare=bare) for letter, text in lettered.items()}


def _without_mark(text: str, letter: str, *, bare: bool) -> str:
    marks = (f"({letter})", *(f"{letter}{sign}" for sign in ".．、)"), *([letter] if bare else []))
    mark = next((mark for mark in marks if text.startswith(mark)), "")
    return text.removeprefix(mark).strip()
