"""MMLU-Pro, default configuration."""

from tasks.spec import read_base

with read_base():
    from .mmlu_pro_0shot_cot_gen import mmlu_pro_datasets
