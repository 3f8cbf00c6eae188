"""RULER: thirteen tasks with contexts of 131,072 tokens, as raw chat messages."""

from tasks.prompts.templates import RawPromptTemplate
from tasks.spec import read_base

with read_base():
    from .ruler_128k_gen import ruler_datasets

ruler_message = dict(type=RawPromptTemplate, messages=[dict(role="user", content="{prompt}")])

ruler_datasets = [
    dict(entry, infer_cfg=dict(entry["infer_cfg"], prompt_template=ruler_message)) for entry in ruler_datasets
]
