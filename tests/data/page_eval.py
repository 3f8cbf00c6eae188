"""The evaluation that the pages of the documentation speak of where they do not write one themselves."""

from mmengine.config import read_base

with read_base():
    from opencompass.configs.datasets.demo_arithmetic.demo_arithmetic_gen import demo_arithmetic_datasets
    from opencompass.configs.datasets.demo_choice.demo_choice_gen import demo_choice_datasets
    from opencompass.configs.models.openai.openai_compatible import models

models = [*models, dict(models[0], abbr="gpt-y", path="gpt-y")]
datasets = demo_arithmetic_datasets + demo_choice_datasets
datasets[0]["abbr"] = "gsm8k"
datasets[1]["abbr"] = "mmlu_stem"

for dataset in datasets:
    dataset["reader_cfg"]["test_range"] = "[0:4]"

work_dir = "outputs/default"
