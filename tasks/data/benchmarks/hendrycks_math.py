"""MATH: 5,000 competition problems with worked solutions (Hendrycks et al. 2021, arXiv:2103.03874), and 500 of them
(Lightman et al. 2023, arXiv:2305.20050).
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from tasks.data.custom import read_rows
from tasks.data.interface import BaseDataset
from tasks.data.sources import HubFile, source_files
from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.storage.json_text import load_json_object

_SUBJECTS = (
    "algebra", "counting_and_probability", "geometry", "intermediate_algebra", "number_theory", "prealgebra",
    "precalculus",
)  # fmt: skip
_ON_HUB = {
    "math": [HubFile("EleutherAI/hendrycks_math", f"{name}/test-00000-of-00001.parquet") for name in _SUBJECTS],
    "test_prm800k_500": [HubFile("HuggingFaceH4/MATH-500", "test.jsonl")],
}

_BOX = re.compile(r"\\(?:boxed|fbox)\s*(?=\{)|\\boxed\s+(?=\S)")


class MATHDataset(BaseDataset):
    """Columns `problem`, `level`, `type`, and `solution`: the final answer, which the worked solution has in a box."""

    @staticmethod
    def load(
        path: str = "opencompass/math",
        file_name: str = "math.json",
        mode: str | None = None,  # noqa: ARG004
    ) -> list[dict[str, Any]]:
        """Problems in file order from `file_name` in the folder `path`, else from the hub.

        The file is a JSON object, or JSON lines; where the one kind is named and the other is there, that is read.
        `mode` is accepted for compatibility: it tells judges how to compare, not what to load.
        """
        stem = file_name.rpartition(".")[0]
        names = dict.fromkeys((file_name, f"{stem}.json", f"{stem}.jsonl"))
        files = source_files(path, *names, hub=_ON_HUB.get(stem, []))
        return [_row(key, row, Place(str(file), key=key)) for file in files for key, row in _problems(file)]


def _problems(file: Path) -> Iterable[tuple[str, Any]]:
    if file.suffix == ".json":
        return _document(file).items()
    return ((str(number), row) for number, row in enumerate(read_rows(file)))


def _document(file: Path) -> dict[str, Any]:
    try:
        document = load_json_object(file.read_bytes().decode())
    except ValueError as error:
        raise UserError(Finding(f"not JSON: {error}", Place(str(file)))) from None
    if not isinstance(document, dict):
        raise UserError(Finding(f"a {type(document).__name__} instead of a JSON object", Place(str(file))))
    return document


def _row(key: str, row: Any, place: Place) -> dict[str, Any]:
    worked = row.get("solution") if isinstance(row, dict) else None
    answer = last_boxed(worked) if isinstance(worked, str) else None
    if answer is None:
        raise UserError(Finding(f"problem {key} has no solution with a \\boxed answer", place))
    return {**row, "solution": answer}


def last_boxed(text: str) -> str | None:
    r"""What stands in the last `\boxed{…}`, braces balanced; None if there is none."""
    matches = list(_BOX.finditer(text))
    if not matches:
        return None
    rest = text[matches[-1].end() :]
    if not rest.startswith("{"):
        return rest.split("$")[0].strip()
    depth = 0
    for index, character in enumerate(rest):
        depth += (character == "{") - (character == "}")
        if depth == 0:
            return rest[1:index].strip()
    return None
