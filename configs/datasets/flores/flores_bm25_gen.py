"""FLORES-200 with eight sentences that share words with the question as examples, by BM25."""

from tasks.prompts.bm25_retriever import BM25Retriever
from tasks.spec import read_base

with read_base():
    from .flores_gen import flores_datasets

flores_datasets = [
    dict(entry, infer_cfg=dict(entry["infer_cfg"], retriever=dict(type=BM25Retriever, ice_num=8)))
    for entry in flores_datasets
]
