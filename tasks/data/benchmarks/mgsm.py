"""MGSM: 250 problems of GSM8K in eleven languages (Shi et al. 2022, arXiv:2210.03057)."""

from pathlib import Path
from typing import Any

from tasks.data.interface import BaseDataset
from tasks.data.sources import HubFile, source_files
from tasks.spec.findings import Finding, Place, UserError


class MGSMSDataset(BaseDataset):
    """Columns `question` and `answer`, an integer as text."""

    @staticmethod
    def load(path: str) -> list[dict[str, Any]]:
        """From the file `path`, `mgsm_<language>.tsv`: a question and its answer per line; else from the hub."""
        (file,) = source_files(path, hub=[HubFile("juletxara/mgsm", Path(path).name)])
        lines = file.read_text(encoding="utf-8").split("\n")
        return [_row(line, Place(str(file), number)) for number, line in enumerate(lines, 1) if line.strip()]


def _row(line: str, place: Place) -> dict[str, Any]:
    question, tab, answer = line.rstrip("\r").rpartition("\t")
    if not tab:
        raise UserError(Finding("there is no tab between question and answer", place))
    return {"question": question.strip(), "answer": answer.strip().replace(",", "")}
