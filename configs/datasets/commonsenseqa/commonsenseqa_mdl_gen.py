"""CommonsenseQA, asked for a letter, with the eight examples under which the question surprises a model least."""

from tasks.prompts.mdl_retriever import MDLRetriever
from tasks.spec import read_base

with read_base():
    from .commonsenseqa_gen import commonsenseqa_datasets

commonsenseqa_datasets[0]["infer_cfg"]["retriever"] = dict(
    type=MDLRetriever, ice_num=8, candidate_num=30, select_time=10
)
