"""WSC: does a pronoun mean a phrase of the text? Asked for a letter."""

from tasks.data.benchmarks.superglue import WSCDatasetV3
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

wsc_reader_cfg = dict(input_columns=["span1", "span2", "text"], output_column="label")

wsc_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="{text}\n\nDoes '{span2}' (between # signs) refer to '{span1}' (between * signs)?\nA. Yes\n"
                    "B. No\nReply with the letter.\nAnswer:",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

wsc_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="AB", aliases=dict(A=["yes"], B=["no"])),
)

WSC_datasets = [
    dict(
        abbr="WSC",
        type=WSCDatasetV3,
        path="opencompass/wsc",
        reader_cfg=wsc_reader_cfg,
        infer_cfg=wsc_infer_cfg,
        eval_cfg=wsc_eval_cfg,
    )
]
