"""A first run: a small real model on 24 word problems and 24 multiple-choice questions. Takes under two minutes."""

from tasks.spec import read_base

with read_base():
    from ..datasets.demo_arithmetic.demo_arithmetic_gen import demo_arithmetic_datasets
    from ..datasets.demo_choice.demo_choice_gen import demo_choice_datasets
    from ..models.smollm2_135m_instruct_gguf import models

datasets = demo_arithmetic_datasets + demo_choice_datasets

for dataset in datasets:
    dataset["reader_cfg"]["test_range"] = "[0:24]"
    dataset["infer_cfg"]["inferencer"]["max_out_len"] = 32

work_dir = "outputs/demo"
