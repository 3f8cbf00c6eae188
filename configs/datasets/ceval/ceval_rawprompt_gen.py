"""C-Eval, validation questions, without examples, as raw chat messages."""

from tasks.prompts.templates import RawPromptTemplate
from tasks.spec import read_base

with read_base():
    from .ceval_0shot_cot_gen import ceval_datasets

for _entry in ceval_datasets:
    _turns = _entry["infer_cfg"]["prompt_template"]["template"]["round"]
    _entry["infer_cfg"]["prompt_template"] = dict(
        type=RawPromptTemplate,
        messages=[
            dict(role="user" if turn["role"] == "HUMAN" else "assistant", content=turn["prompt"]) for turn in _turns
        ],
    )
