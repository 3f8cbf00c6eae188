"""Base models on the first questions of GSM8K and MATH."""

from mmengine.config import read_base

with read_base():
    from opencompass.configs.datasets.demo.demo_gsm8k_base_gen import gsm8k_datasets
    from opencompass.configs.datasets.demo.demo_math_base_gen import math_datasets
    from opencompass.configs.models.opt.hf_opt_125m import models as opt_125m_models
    from opencompass.configs.models.opt.hf_opt_350m import models as opt_350m_models

datasets = gsm8k_datasets + math_datasets
models = opt_125m_models + opt_350m_models
