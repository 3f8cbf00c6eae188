"""GAOKAO-Bench without questions that a person has to mark: those with options, which are all there are here."""

from tasks.spec import read_base

with read_base():
    from .GaokaoBench_gen import GaokaoBench_datasets
