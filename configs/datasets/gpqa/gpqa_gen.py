"""GPQA: the 198 diamond questions, with reasoning first."""

from tasks.data.benchmarks.gpqa import GPQADataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.options import GPQAEvaluator

gpqa_reader_cfg = dict(input_columns=["question", "A", "B", "C", "D"], output_column="answer")

gpqa_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="Exactly one option answers the question below. Reason as long as you need, then end with a "
                    "line of the form 'ANSWER: X', where X is its letter.\n\n{question}\n\n"
                    "A) {A}\nB) {B}\nC) {C}\nD) {D}",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=4096),
)

gpqa_eval_cfg = dict(
    evaluator=dict(type=GPQAEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="ABCD"),
)

gpqa_datasets = [
    dict(
        abbr="GPQA_diamond",
        type=GPQADataset,
        path="opencompass/gpqa",
        name="gpqa_diamond.csv",
        reader_cfg=gpqa_reader_cfg,
        infer_cfg=gpqa_infer_cfg,
        eval_cfg=gpqa_eval_cfg,
    )
]
