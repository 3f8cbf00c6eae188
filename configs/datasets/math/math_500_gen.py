"""MATH-500: a subset of 500 problems of MATH; answers are compared with symbolic algebra."""

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
                    prompt="{problem}\n\nShow how you get to the result, and put it inside \\boxed{} at the end.",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=2048),
)

math_eval_cfg = dict(evaluator=dict(type=MATHVerifyEvaluator), pred_role="BOT")

math_datasets = [
    dict(
        abbr="math-500",
        type=MATHDataset,
        path="opencompass/math",
        file_name="test_prm800k_500.jsonl",
        reader_cfg=math_reader_cfg,
        infer_cfg=math_infer_cfg,
        eval_cfg=math_eval_cfg,
    )
]
