"""AlpacaEval 1: the same instructions and judge prompt as AlpacaEval 2, compared with text_davinci_003."""

from tasks.spec import read_base

with read_base():
    from .alpaca_eval_v2_gen import alpacav2_datasets

alpaca_eval_datasets = [
    alpacav2_datasets[0]
    | dict(
        abbr="alpaca_eval",
        base_models=["text_davinci_003"],
        given_pred=[dict(abbr="text_davinci_003", path="data/subjective/alpaca_eval/alpaca_eval.json")],
    )
]
del alpacav2_datasets
