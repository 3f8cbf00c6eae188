"""MT-Bench under its OpenCompass name."""

from tasks.spec import read_base

with read_base():
    from .mtbench_gen import mtbench_datasets
