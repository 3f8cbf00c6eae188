"""AlpacaEval 2 under its OpenCompass name; the configuration sets the judge."""

from tasks.spec import read_base

with read_base():
    from .alpaca_eval_v2_gen import alpacav2_datasets
