"""MATH-500: a subset of 500 problems of MATH, as raw chat messages."""

from tasks.prompts.templates import RawPromptTemplate
from tasks.spec import read_base

with read_base():
    from .math_500_gen import math_datasets

for _entry in math_datasets:
    _turns = _entry["infer_cfg"]["prompt_template"]["template"]["round"]
    _entry["infer_cfg"]["prompt_template"] = dict(
        type=RawPromptTemplate,
        messages=[
            dict(role="user" if turn["role"] == "HUMAN" else "assistant", content=turn["prompt"]) for turn in _turns
        ],
    )
