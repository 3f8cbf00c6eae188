"""AIME 2024: 30 competition problems, the answer in a box."""

from tasks.data.benchmarks.aime import Aime2024Dataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.mathematics import MATHVerifyEvaluator

aime2024_reader_cfg = dict(input_columns=["question"], output_column="answer")

aime2024_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="{question}\n\nThe answer is an integer from 0 to 999. Reason step by step and put it "
                    "inside \\boxed{} at the end.",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=8192),
)

aime2024_eval_cfg = dict(evaluator=dict(type=MATHVerifyEvaluator), pred_role="BOT")

aime2024_datasets = [
    dict(
        abbr="aime2024",
        type=Aime2024Dataset,
        path="opencompass/aime2024",
        reader_cfg=aime2024_reader_cfg,
        infer_cfg=aime2024_infer_cfg,
        eval_cfg=aime2024_eval_cfg,
    )
]
