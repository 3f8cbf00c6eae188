"""The first 64 problems of MATH for base models: to see whether a set-up works, not to compare models."""

from tasks.spec import read_base

with read_base():
    from ..math.math_base_gen import math_datasets

math_datasets[0]["abbr"] = "demo_math"
math_datasets[0]["reader_cfg"]["test_range"] = "[0:64]"
