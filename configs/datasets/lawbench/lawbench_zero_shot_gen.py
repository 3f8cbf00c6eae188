"""LawBench, without examples: what a legal question is about (2-4), and the entities of a sentence (2-6)."""

from tasks.data.lawbench import LawBenchDataset
from tasks.infer.inferencers import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate

lawbench_tasks = {
    "2-4": "issue_topic_identification",
    "2-6": "named_entity_recognition",
}

lawbench_datasets = [
    dict(
        abbr=f"lawbench-{index}-{name}-0-shot",
        type=LawBenchDataset,
        path="data/lawbench/zero_shot",
        index=index,
        reader_cfg=dict(input_columns=["instruction", "question"], output_column="answer"),
        infer_cfg=dict(
            prompt_template=dict(
                type=PromptTemplate,
                template=dict(round=[dict(role="HUMAN", prompt="{instruction}\n{question}")]),
            ),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=1024),
        ),
        eval_cfg=dict(evaluator=dict(type="LawBenchEvaluator_" + index.replace("-", "_")), pred_role="BOT"),
    )
    for index, name in lawbench_tasks.items()
]
