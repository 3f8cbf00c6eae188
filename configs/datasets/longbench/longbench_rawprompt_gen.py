"""LongBench, as raw chat messages."""

from tasks.prompts.templates import RawPromptTemplate
from tasks.spec import read_base

with read_base():
    from .longbench_gen import longbench_datasets, longbench_tasks

longbench_datasets = [
    dict(
        entry,
        infer_cfg=dict(
            entry["infer_cfg"],
            prompt_template=dict(
                type=RawPromptTemplate,
                messages=[dict(role="user", content=longbench_tasks[entry["name"]][0])],
            ),
        ),
    )
    for entry in longbench_datasets
]
