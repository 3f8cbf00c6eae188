"""SuperGLUE (Wang et al. 2019, arXiv:1905.00537): BoolQ, COPA, WiC and WSC, their validation rows.

Loaders whose names end in V2 or V3 give a letter as `label`; the others `answer` or `label` as 0 or 1.
"""

from collections.abc import Mapping
from typing import Any

from tasks.data.interface import BaseDataset
from tasks.data.sources import HubFile, source_rows
from tasks.spec.findings import Finding, Place, UserError

_COLUMNS = {
    "boolq": ("question", "passage"),
    "copa": ("premise", "question", "choice1", "choice2"),
    "wic": ("word", "sentence1", "sentence2"),
}
"""Those that are the same in every copy of the data."""
_TRUTH = {"true": True, "false": False, "1": True, "0": False}


class BoolQDataset(BaseDataset):
    """3,270 yes/no questions about a passage: `question`, `passage`, and `answer`, 1 for yes."""

    @staticmethod
    def load(path: str = "opencompass/boolq", data_files: str = "", split: str = "") -> list[dict[str, Any]]:
        """From a file or the folder of `val.jsonl`; `path='json'` with `data_files` means that file."""
        del split
        return [row | {"answer": int(truth)} for row, truth in _plain("boolq", path, data_files)]


class BoolQDatasetV2(BoolQDataset):
    """The same; `label` is A for yes and B for no."""

    @staticmethod
    def load(path: str = "opencompass/boolq") -> list[dict[str, Any]]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return [row | {"label": "BA"[truth]} for row, truth in _plain("boolq", path)]


class BoolQDatasetV3(BoolQDataset):
    """The same without the passage's title, the question beginning with a capital; `label` is true or false."""

    @staticmethod
    def load(path: str = "opencompass/boolq") -> list[dict[str, Any]]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return [
            {
                **row,
                "passage": row["passage"].partition(" -- ")[2],
                "question": row["question"][:1].upper() + row["question"][1:],
                "label": str(truth).lower(),
            }
            for row, truth in _plain("boolq", path)
        ]


class COPADataset(BaseDataset):
    """100 premises with two causes or effects: `premise`, `question`, `choice1`, `choice2`, and `label`, 0 or 1."""

    @staticmethod
    def load(path: str = "opencompass/copa", data_files: str = "", split: str = "") -> list[dict[str, Any]]:
        """From a file or the folder of `val.jsonl`; `path='json'` with `data_files` means that file."""
        del split
        return [row | {"label": int(truth)} for row, truth in _plain("copa", path, data_files)]


class COPADataset_V2(COPADataset):  # noqa: N801  OpenCompass's name
    """The same; `label` is the letter A or B."""

    @staticmethod
    def load(path: str = "opencompass/copa") -> list[dict[str, Any]]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return [row | {"label": "AB"[truth]} for row, truth in _plain("copa", path)]


class WiCDataset(BaseDataset):
    """638 words in two sentences: `word`, `sentence1`, `sentence2`, and `answer`, 1 where the sense is the same."""

    @staticmethod
    def load(path: str = "opencompass/wic", data_files: str = "", split: str = "") -> list[dict[str, Any]]:
        """From a file or the folder of `val.jsonl`; `path='json'` with `data_files` means that file."""
        del split
        return [row | {"answer": int(truth)} for row, truth in _plain("wic", path, data_files)]


class WiCDatasetV2(WiCDataset):
    """The same; `label` is A for one sense and B for two."""

    @staticmethod
    def load(path: str = "opencompass/wic") -> list[dict[str, Any]]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return [row | {"label": "BA"[truth]} for row, truth in _plain("wic", path)]


class WSCDataset(BaseDataset):
    """104 pronouns (`span2`) that mean a phrase (`span1`) of the `text` or do not; `new_text` has the phrase instead.

    `answer` is 1 where they mean it.
    """

    @staticmethod
    def load(path: str = "opencompass/wsc", data_files: str = "", split: str = "") -> list[dict[str, Any]]:
        """From a file or the folder of `val.jsonl`; `path='json'` with `data_files` means that file."""
        del split
        return [
            {"text": row["text"], **_spans(row), "new_text": _replaced(row), "answer": int(truth)}
            for row, truth in _judged("wsc", path, data_files)
        ]


class WSCDatasetV2(WSCDataset):
    """The same; `label` is A where the pronoun means the phrase, else B."""

    @staticmethod
    def load(path: str = "opencompass/wsc") -> list[dict[str, Any]]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return [{"text": row["text"], **_spans(row), "label": "BA"[truth]} for row, truth in _judged("wsc", path)]


class WSCDatasetV3(WSCDataset):
    """As V2 with the phrase between asterisks and the pronoun between hash signs."""

    @staticmethod
    def load(path: str = "opencompass/wsc") -> list[dict[str, Any]]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return [{"text": _marked(row), **_spans(row), "label": "BA"[truth]} for row, truth in _judged("wsc", path)]


def _plain(task: str, path: str, data_files: str = "") -> list[tuple[dict[str, Any], bool]]:
    """As `_judged`, with the columns that every copy has."""
    judged = _judged(task, path, data_files)
    return [({name: row[name] for name in _COLUMNS[task]}, truth) for row, truth in judged]


def _judged(task: str, path: str, data_files: str = "") -> list[tuple[dict[str, Any], bool]]:
    """Rows and whether each is true (for COPA: whether it is the second choice)."""
    hub = HubFile("aps/super_glue", f"{task}/validation-00000-of-00001.parquet")
    written = data_files if path == "json" else path
    rows = source_rows(written, "val.jsonl", hub=[hub])
    return [(row, _truth(row, Place(written, number))) for number, row in enumerate(rows, 1)]


def _truth(row: Mapping[str, Any], place: Place) -> bool:
    truth = _TRUTH.get(str(row.get("label")).lower())
    if truth is None:
        raise UserError(Finding(f"{row.get('label')!r} is no label", place, "labels are true and false, or 1 and 0"))
    return truth


def _target(row: Mapping[str, Any]) -> Mapping[str, Any]:
    """The spans stand in `target`, or beside the text in the hub's copy."""
    return row.get("target", row)


def _spans(row: Mapping[str, Any]) -> dict[str, Any]:
    return {"span1": _target(row)["span1_text"], "span2": _target(row)["span2_text"]}


def _replaced(row: Mapping[str, Any]) -> str:
    """The text with the phrase in place of the pronoun, which is one word."""
    words = row["text"].split(" ")
    words[_target(row)["span2_index"]] = _target(row)["span1_text"]
    return " ".join(words)


def _marked(row: Mapping[str, Any]) -> str:
    target, words = _target(row), row["text"].split(" ")
    spans = [(target[f"{span}_index"], target[f"{span}_text"], mark) for span, mark in (("span1", "*"), ("span2", "#"))]
    for start, text, mark in sorted(spans, reverse=True):
        words[start : start + len(text.split(" "))] = [f"{mark} {text} {mark}"]
    return " ".join(words)
