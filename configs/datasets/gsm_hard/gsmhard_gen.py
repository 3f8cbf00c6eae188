"""GSM-Hard under its OpenCompass name."""

from tasks.spec import read_base

with read_base():
    from .gsm_hard_gen import gsmhard_datasets
