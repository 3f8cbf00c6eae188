"""AlpacaEval 2 under the name that it has in OpenCompass; the judge is whoever the configuration says."""

from tasks.spec import read_base

with read_base():
    from .alpaca_eval_v2_gen import alpacav2_datasets
