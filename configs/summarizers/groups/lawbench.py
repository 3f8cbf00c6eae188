"""LawBench: the mean score over its tasks, without and with an example."""

from tasks.spec import read_base

with read_base():
    from ...datasets.lawbench.lawbench_zero_shot_gen import lawbench_tasks

lawbench_summary_groups = [
    dict(
        name=f"lawbench-{shots}-shot",
        subsets=[[f"lawbench-{index}-{name}-{shots}-shot", "score"] for index, name in lawbench_tasks.items()],
    )
    for shots in (0, 1)
]
