"""RULER: thirteen tasks with contexts of 32,768 tokens."""

from tasks.spec import read_base

with read_base():
    from .ruler_cwe_gen import cwe_datasets
    from .ruler_fwe_gen import fwe_datasets
    from .ruler_niah_gen import niah_datasets
    from .ruler_qa_gen import qa_datasets
    from .ruler_vt_gen import vt_datasets

ruler_datasets = [
    dict(entry, abbr=entry["abbr"] + "_32k", max_seq_length=32768)
    for entry in niah_datasets + vt_datasets + cwe_datasets + fwe_datasets + qa_datasets
]

# The parts are not exported as lists of their own.
niah_datasets = vt_datasets = cwe_datasets = fwe_datasets = qa_datasets = []
