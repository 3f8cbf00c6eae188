"""GPQA: all its sets, 546 extended, 448 main and 198 diamond questions, each part of the one before."""

from tasks.spec import read_base

with read_base():
    from .gpqa_gen import gpqa_datasets

gpqa_datasets = [
    {**gpqa_datasets[0], "abbr": f"GPQA_{name}", "name": f"gpqa_{name}.csv"} for name in ("extended", "main", "diamond")
]
