"""NeedleBench with texts of up to 8,000 tokens, as raw chat messages."""

from tasks.prompts.templates import RawPromptTemplate
from tasks.spec import read_base

with read_base():
    from .needlebench_8k_gen import needlebench_datasets

needlebench_message = dict(type=RawPromptTemplate, messages=[dict(role="user", content="{prompt}")])

needlebench_datasets = [
    dict(entry, infer_cfg=dict(entry["infer_cfg"], prompt_template=needlebench_message))
    for entry in needlebench_datasets
]
