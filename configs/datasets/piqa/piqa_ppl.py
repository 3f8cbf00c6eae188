"""PIQA by perplexity: chooses the likelier solution."""

from tasks.data.benchmarks.piqa import PIQADataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

piqa_reader_cfg = dict(input_columns=["goal", "sol1", "sol2"], output_column="label", test_split="validation")

piqa_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template={label: f"Aim: {{goal}}\nWay: {{sol{label + 1}}}" for label in (0, 1)},
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
)

piqa_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

piqa_datasets = [
    dict(
        abbr="piqa",
        type=PIQADataset,
        path="opencompass/piqa",
        reader_cfg=piqa_reader_cfg,
        infer_cfg=piqa_infer_cfg,
        eval_cfg=piqa_eval_cfg,
    )
]
