"""CRUXEval, both tasks: what a call returns, and a call that returns something."""

from tasks.spec import read_base

with read_base():
    from configs.datasets.cruxeval.cruxeval_i_gen import cruxeval_i_datasets
    from configs.datasets.cruxeval.cruxeval_o_gen import cruxeval_o_datasets

cruxeval_datasets = [*cruxeval_i_datasets, *cruxeval_o_datasets]
