"""AIME 2025: 30 competition problems, the answer in a box."""

from tasks.data.benchmarks.aime import Aime2025Dataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.mathematics import MATHVerifyEvaluator

aime2025_reader_cfg = dict(input_columns=["question"], output_column="answer")

aime2025_infer_cfg = dict(
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

aime2025_eval_cfg = dict(evaluator=dict(type=MATHVerifyEvaluator), pred_role="BOT")

aime2025_datasets = [
    dict(
        abbr="aime2025",
        type=Aime2025Dataset,
        path="opencompass/aime2025",
        reader_cfg=aime2025_reader_cfg,
        infer_cfg=aime2025_infer_cfg,
        eval_cfg=aime2025_eval_cfg,
    )
]
