"""HumanEval-X: the functions of HumanEval in several languages (Zheng et al. 2023, arXiv:2303.17568)."""

from typing import Any

from tasks.data.benchmarks.code_files import code_rows
from tasks.data.interface import BaseDataset
from tasks.spec.findings import Finding, UserError, nearest

_LANGUAGES = ("python", "cpp", "go", "java", "js", "rust")


class HumanevalXDataset(BaseDataset):
    """Columns `task_id`, `prompt`, `declaration`, `canonical_solution`, `test`, `example_test` and others."""

    @staticmethod
    def load(
        path: str = "opencompass/humanevalx", language: str = "python", local_mode: bool = False
    ) -> list[dict[str, Any]]:
        """Rows of `humanevalx_<language>.jsonl.gz` (or `.jsonl`) in the folder `path`.

        Programs in other languages than Python can be asked for, but not be judged.
        """
        if language not in _LANGUAGES:
            raise UserError(Finding(f"HumanEval-X has no language {language!r}", remedy=nearest(language, _LANGUAGES)))
        return code_rows(path, f"humanevalx_{language}.jsonl.gz", local_mode)
