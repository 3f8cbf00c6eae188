"""Datasets of questions and numeric answers, in the language that OpenCompass and this system share."""

from collections.abc import Mapping

_TEXT = """
from opencompass.datasets import CustomDataset, Gsm8kEvaluator, gsm8k_postprocess
from opencompass.openicl.icl_inferencer import GenInferencer
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever

datasets = [
    dict(
        abbr=abbr,
        type=CustomDataset,
        path=path,
        reader_cfg=dict(input_columns=['question'], output_column='answer'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{{question}}')])),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer),
        ),
        eval_cfg=dict(evaluator=dict(type=Gsm8kEvaluator), pred_postprocessor=dict(type=gsm8k_postprocess)),
    )
    for abbr, path in {paths!r}.items()
]
"""


def question_sets(paths: Mapping[str, str]) -> str:
    """The part of a configuration that defines `datasets`, by name and file; they are asked without examples."""
    return _TEXT.format(paths=dict(paths))
