"""FLORES-200 with the eight sentences most like the question as examples, which a model of sentences chooses."""

from tasks.prompts.embedding_retrievers import TopkRetriever
from tasks.spec import read_base

with read_base():
    from .flores_gen import flores_datasets

flores_datasets = [
    dict(entry, infer_cfg=dict(entry["infer_cfg"], retriever=dict(type=TopkRetriever, ice_num=8)))
    for entry in flores_datasets
]
