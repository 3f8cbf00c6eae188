"""Winograd schemas (WSC285): answered by the letter of the pronoun's referent."""

from tasks.data.benchmarks.winograd import winogradDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

winograd_reader_cfg = dict(input_columns=["text", "pronoun", "opt1", "opt2"], output_column="answer")

winograd_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt='{text}\nWho or what is meant by "{pronoun}" in this text?\nA. {opt1}\nB. {opt2}\n'
                    "Reply with the letter of the right option.\nAnswer:",
                ),
            ],
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

winograd_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="AB"),
)

winograd_datasets = [
    dict(
        abbr="winograd",
        type=winogradDataset,
        path="winograd_wsc",
        name="wsc285",
        reader_cfg=winograd_reader_cfg,
        infer_cfg=winograd_infer_cfg,
        eval_cfg=winograd_eval_cfg,
    )
]
