"""HumanEval: 164 Python functions to complete (Chen et al. 2021, arXiv:2107.03374)."""

from typing import Any

from tasks.data.benchmarks.code_files import code_rows, repeated
from tasks.data.interface import BaseDataset

_FILE = "human-eval-v2-20210705.jsonl"


class HumanevalDataset(BaseDataset):
    """Columns `task_id`, `prompt`, `entry_point`, `canonical_solution` and `test`."""

    @staticmethod
    def load(
        path: str = "opencompass/humaneval", num_repeats: int = 1, local_mode: bool = False
    ) -> list[dict[str, Any]]:
        """Rows of the file `path`, or of the file that the benchmark has in the folder `path`.

        Every row comes `num_repeats` times. With `local_mode`, `path` is a path of this machine and is looked for
        nowhere else.
        """
        return repeated(code_rows(path, _FILE, local_mode), num_repeats)
