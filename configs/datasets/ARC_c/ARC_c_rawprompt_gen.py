"""ARC-Challenge, as raw chat messages."""

from tasks.prompts.templates import RawPromptTemplate
from tasks.spec import read_base

with read_base():
    from .ARC_c_gen import ARC_c_datasets

for _entry in ARC_c_datasets:
    _turns = _entry["infer_cfg"]["prompt_template"]["template"]["round"]
    _entry["infer_cfg"]["prompt_template"] = dict(
        type=RawPromptTemplate,
        messages=[
            dict(role="user" if turn["role"] == "HUMAN" else "assistant", content=turn["prompt"]) for turn in _turns
        ],
    )
