"""COPA by perplexity: chooses the likelier cause or effect."""

from tasks.data.benchmarks.superglue import COPADataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

copa_reader_cfg = dict(input_columns=["question", "premise", "choice1", "choice2"], output_column="label")

copa_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template={
            label: dict(
                round=[
                    dict(role="HUMAN", prompt="{premise} What is the {question} of this?"),
                    dict(role="BOT", prompt=f"{{choice{label + 1}}}"),
                ]
            )
            for label in (0, 1)
        },
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
)

copa_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

COPA_datasets = [
    dict(
        abbr="COPA",
        type=COPADataset,
        path="opencompass/copa",
        reader_cfg=copa_reader_cfg,
        infer_cfg=copa_infer_cfg,
        eval_cfg=copa_eval_cfg,
    )
]
