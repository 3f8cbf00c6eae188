"""BoolQ: a yes/no question about a passage; answered by a letter."""

from tasks.data.benchmarks.superglue import BoolQDatasetV2
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

boolq_reader_cfg = dict(input_columns=["question", "passage"], output_column="label")

boolq_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="{passage}\n\nAccording to this passage: {question}?\nA. Yes\nB. No\n"
                    "Reply with the letter of the right answer.\nAnswer:",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

boolq_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(
        type=first_option_postprocess, options="AB", aliases=dict(A=["yes", "true"], B=["no", "false"])
    ),
)

BoolQ_datasets = [
    dict(
        abbr="BoolQ",
        type=BoolQDatasetV2,
        path="opencompass/boolq",
        reader_cfg=boolq_reader_cfg,
        infer_cfg=boolq_infer_cfg,
        eval_cfg=boolq_eval_cfg,
    )
]
