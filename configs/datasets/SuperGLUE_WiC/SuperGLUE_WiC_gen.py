"""WiC: does a word have the same sense in two sentences? Asked for a letter."""

from tasks.data.benchmarks.superglue import WiCDatasetV2
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

wic_reader_cfg = dict(input_columns=["word", "sentence1", "sentence2"], output_column="label")

wic_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="First sentence: {sentence1}\nSecond sentence: {sentence2}\n"
                    "Is '{word}' meant in the same sense in both?\nA. Yes\nB. No\nReply with the letter.\nAnswer:",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

wic_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="AB", aliases=dict(A=["yes"], B=["no"])),
)

WiC_datasets = [
    dict(
        abbr="WiC",
        type=WiCDatasetV2,
        path="opencompass/wic",
        reader_cfg=wic_reader_cfg,
        infer_cfg=wic_infer_cfg,
        eval_cfg=wic_eval_cfg,
    )
]
