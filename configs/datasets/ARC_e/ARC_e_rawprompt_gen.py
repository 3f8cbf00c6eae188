"""ARC-Easy, as raw chat messages."""

from tasks.prompts.templates import RawPromptTemplate
from tasks.spec import read_base

with read_base():
    from .ARC_e_gen import ARC_e_datasets

for _entry in ARC_e_datasets:
    _turns = _entry["infer_cfg"]["prompt_template"]["template"]["round"]
    _entry["infer_cfg"]["prompt_template"] = dict(
        type=RawPromptTemplate,
        messages=[
            dict(role="user" if turn["role"] == "HUMAN" else "assistant", content=turn["prompt"]) for turn in _turns
        ],
    )
