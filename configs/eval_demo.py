"""Two small models on two demo datasets, to check the setup of a machine with a GPU."""

from tasks.spec import read_base

with read_base():
    from .datasets.demo.demo_gsm8k_base_gen import gsm8k_datasets
    from .datasets.demo.demo_math_base_gen import math_datasets
    from .models.opt.hf_opt_125m import models as opt_125m
    from .models.opt.hf_opt_350m import models as opt_350m

datasets = gsm8k_datasets + math_datasets
models = opt_125m + opt_350m
