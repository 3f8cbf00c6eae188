"""Winograd schemas (WSC285) by likelihood: chooses the likeliest reading."""

from tasks.data.benchmarks.winograd import winogradDataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

winograd_reader_cfg = dict(input_columns=["text", "pronoun", "opt1", "opt2"], output_column="label")

winograd_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template={
            label: dict(
                round=[
                    dict(role="HUMAN", prompt='{text}\nHere "{pronoun}" stands for'),
                    dict(role="BOT", prompt=f"{{opt{label + 1}}}"),
                ]
            )
            for label in (0, 1)
        },
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
)

winograd_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

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
