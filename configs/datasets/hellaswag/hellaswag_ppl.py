"""HellaSwag by perplexity: chooses the likeliest continuation."""

from tasks.data.benchmarks.hellaswag import HellaswagDataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

hellaswag_reader_cfg = dict(input_columns=["ctx", "A", "B", "C", "D"], output_column="label")

hellaswag_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template={label: f"{{ctx}} {{{letter}}}" for label, letter in enumerate("ABCD")},
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
)

hellaswag_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

hellaswag_datasets = [
    dict(
        abbr="hellaswag",
        type=HellaswagDataset,
        path="opencompass/hellaswag",
        reader_cfg=hellaswag_reader_cfg,
        infer_cfg=hellaswag_infer_cfg,
        eval_cfg=hellaswag_eval_cfg,
    )
]
