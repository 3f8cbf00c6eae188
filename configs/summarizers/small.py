"""Table of the collections `base_small` and `chat_small`, by subject."""

from tasks.spec import read_base

with read_base():
    from .example import summarizer

summarizer = dict(
    dataset_abbrs=[
        "--------- Exams ---------",
        ["mmlu", "naive_average"],
        ["ceval", "naive_average"],
        "--------- Language ---------",
        "WiC",
        "WSC",
        "winogrande",
        "lambada",
        "--------- Knowledge ---------",
        "BoolQ",
        "nq",
        "triviaqa",
        "--------- Reasoning ---------",
        "COPA",
        "hellaswag",
        "piqa",
        ["bbh", "naive_average"],
        "--------- Mathematics ---------",
        "gsm8k",
        "math",
        "--------- Programs ---------",
        "openai_humaneval",
        "mbpp",
        "--------- Reading ---------",
        "openbookqa",
        "race-middle",
        "race-high",
        "CMRC_dev",
    ],
    summary_groups=summarizer["summary_groups"],
)
