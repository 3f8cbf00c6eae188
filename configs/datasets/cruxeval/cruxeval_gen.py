"""CRUXEval, both tasks: predicting the output of a call, and a call with a given output."""

from tasks.spec import read_base

with read_base():
    from configs.datasets.cruxeval.cruxeval_i_gen import cruxeval_i_datasets
    from configs.datasets.cruxeval.cruxeval_o_gen import cruxeval_o_datasets

cruxeval_datasets = [*cruxeval_i_datasets, *cruxeval_o_datasets]
