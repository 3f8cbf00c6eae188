"""MATH for base models: two worked examples as one text that the model continues."""

from tasks.data.benchmarks.hendrycks_math import MATHDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.mathematics import MATHVerifyEvaluator

math_reader_cfg = dict(input_columns=["problem"], output_column="solution")

math_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template="Problem: A rectangle is $3$ units longer than it is wide, and its area is $40$. How wide is it?\n"
        "Solution: Let the width be $w$. Then $w(w+3)=40$, so $w^2+3w-40=0$, which factors as $(w+8)(w-5)=0$. The "
        "width is positive, so the final answer is $\\boxed{5}$.\n\n"
        "Problem: Two fair coins are tossed. What is the probability that they show different faces?\n"
        "Solution: The second coin differs from the first in one of its two equally likely faces. The final answer is "
        "$\\boxed{\\frac{1}{2}}$.\n\n"
        "Problem: {problem}\nSolution:",
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=512, stopping_criteria=["Problem:"]),
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
