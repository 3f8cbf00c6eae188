"""BIG-Bench Hard: 27 reasoning tasks, 6,511 rows (Suzgun et al. 2022, arXiv:2210.09261)."""

from typing import Any

from tasks.data.folders import file_in
from tasks.data.interface import BaseDataset
from tasks.data.json_files import read_json_rows


class BBHDataset(BaseDataset):
    """Columns `input` and `target`."""

    @staticmethod
    def load(path: str = "opencompass/bbh", name: str = "", with_examples: bool = False) -> list[dict[str, Any]]:
        """The rows of task `name` from `<name>.json` in the folder `path`.

        With `with_examples`, the column `examples` holds the worked examples that the benchmark has for the task, from
        `<name>.txt` in the folder `lib_prompt` beside `path`.
        """
        rows = read_json_rows(file_in(path, f"{name}.json"), key="examples")
        if not with_examples:
            return rows
        examples = file_in(path, f"../lib_prompt/{name}.txt").read_text(encoding="utf-8").strip()
        return [{**row, "examples": examples} for row in rows]
