"""OpenBookQA by perplexity: chooses the likeliest ending or answer."""

from tasks.data.benchmarks.openbookqa import OBQADataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

obqa_reader_cfg = dict(input_columns=["question_stem", "A", "B", "C", "D"], output_column="answerKey")

obqa_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template={letter: f"{{question_stem}} {{{letter}}}" for letter in "ABCD"},
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
)

obqa_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

obqa_datasets = [
    dict(
        abbr="openbookqa",
        type=OBQADataset,
        path="opencompass/openbookqa_test",
        reader_cfg=obqa_reader_cfg,
        infer_cfg=obqa_infer_cfg,
        eval_cfg=obqa_eval_cfg,
    )
]
