"""CMRC 2018: the part of a Chinese text that answers a question."""

from tasks.data.benchmarks.clue import CMRCDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.dataset_postprocessors import cmrc_postprocess
from tasks.score.evaluators.open_answers import SquadEvaluator

cmrc_dev_reader_cfg = dict(input_columns=["question", "context"], output_column="answers")

cmrc_dev_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="请阅读下面的文章，用文章中的原话尽量简短地回答问题，不要解释。\n\n{context}\n\n"
                    "问题：{question}\n答案：",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

cmrc_dev_eval_cfg = dict(
    evaluator=dict(type=SquadEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=cmrc_postprocess),
)

CMRC_datasets = [
    dict(
        abbr="CMRC_dev",
        type=CMRCDataset,
        path="opencompass/cmrc_dev",
        reader_cfg=cmrc_dev_reader_cfg,
        infer_cfg=cmrc_dev_infer_cfg,
        eval_cfg=cmrc_dev_eval_cfg,
    )
]
