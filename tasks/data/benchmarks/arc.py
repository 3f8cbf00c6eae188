"""ARC: science questions for pupils, an easy and a challenging set (Clark et al. 2018, arXiv:1803.05457)."""

from typing import Any

from tasks.data.benchmarks.lettered import lettered_row
from tasks.data.files import read_jsonl
from tasks.data.interface import BaseDataset
from tasks.data.paths import resolve_data_path
from tasks.spec.findings import Place

_OPTIONS = ("textA", "textB", "textC", "textD")


class ARCDataset(BaseDataset):
    """Columns `question`, `textA` to `textD`, and `answerKey`, a letter."""

    @staticmethod
    def load(path: str = "opencompass/ai2_arc-dev", name: str = "ARC-Challenge") -> list[dict[str, Any]]:
        """From the file `path`; `name` says which set it is. The few questions without four options are left out."""
        del name
        file = resolve_data_path(path)
        return [
            {
                "question": row["question"]["stem"],
                **lettered_row(row["question"], row["answerKey"], Place(str(file), number), _OPTIONS),
            }
            for number, row in enumerate(read_jsonl(file), 1)
            if len(row["question"]["choices"]) == len(_OPTIONS)
        ]
