"""MMLU, as raw chat messages."""

from tasks.prompts.templates import RawPromptTemplate
from tasks.spec import read_base

with read_base():
    from .mmlu_gen import mmlu_datasets

for _entry in mmlu_datasets:
    _turns = _entry["infer_cfg"]["prompt_template"]["template"]["round"]
    _entry["infer_cfg"]["prompt_template"] = dict(
        type=RawPromptTemplate,
        messages=[
            dict(role="user" if turn["role"] == "HUMAN" else "assistant", content=turn["prompt"]) for turn in _turns
        ],
    )
