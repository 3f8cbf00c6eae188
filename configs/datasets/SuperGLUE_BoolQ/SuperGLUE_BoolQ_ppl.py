"""BoolQ by perplexity: compares "yes" and "no" after the passage and the question."""

from tasks.data.benchmarks.superglue import BoolQDatasetV3
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

boolq_reader_cfg = dict(input_columns=["question", "passage"], output_column="label")

boolq_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template={
            label: dict(
                round=[
                    dict(role="HUMAN", prompt="{passage}\n{question}?"),
                    dict(role="BOT", prompt=word),
                ]
            )
            for label, word in (("false", "No"), ("true", "Yes"))
        },
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
)

boolq_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

BoolQ_datasets = [
    dict(
        abbr="BoolQ",
        type=BoolQDatasetV3,
        path="opencompass/boolq",
        reader_cfg=boolq_reader_cfg,
        infer_cfg=boolq_infer_cfg,
        eval_cfg=boolq_eval_cfg,
    )
]
