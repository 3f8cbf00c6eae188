"""The first 64 questions of GSM8K for chat models: to see whether a set-up works, not to compare models."""

from tasks.spec import read_base

with read_base():
    from ..gsm8k.gsm8k_gen import gsm8k_datasets

gsm8k_datasets[0]["abbr"] = "demo_gsm8k"
gsm8k_datasets[0]["reader_cfg"]["test_range"] = "[0:64]"
