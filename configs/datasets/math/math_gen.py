"""MATH for chat models: one problem, the answer in a box."""

from tasks.data.benchmarks.hendrycks_math import MATHDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.mathematics import MATHVerifyEvaluator

math_reader_cfg = dict(input_columns=["problem"], output_column="solution")

math_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="{problem}\nWork it out step by step and put the final answer inside \\boxed{}.",
                ),
            ],
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=1024),
)

# The evaluator that agrees best with people. MATHEvaluator compares forms, as OpenCompass does here.
math_eval_cfg = dict(evaluator=dict(type=MATHVerifyEvaluator))

math_datasets = [
    dict(
        abbr="math",
        type=MATHDataset,
        path="opencompass/math",
        reader_cfg=math_reader_cfg,
        infer_cfg=math_infer_cfg,
        eval_cfg=math_eval_cfg,
    )
]
