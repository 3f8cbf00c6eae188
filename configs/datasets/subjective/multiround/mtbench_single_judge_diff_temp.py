"""MT-Bench under the name that it has in OpenCompass."""

from tasks.spec import read_base

with read_base():
    from .mtbench_gen import mtbench_datasets
