"""SVAMP, answered step by step."""

from tasks.data.benchmarks.svamp import SVAMPDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import gsm8k_postprocess
from tasks.score.evaluators.exact import Gsm8kEvaluator

svamp_reader_cfg = dict(input_columns=["question"], output_column="answer")

svamp_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="{question}\n\nNot every number given matters. Think it over step by step, and end with a "
                    "line of the form 'The answer is N'.",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=512),
)

svamp_eval_cfg = dict(
    evaluator=dict(type=Gsm8kEvaluator), pred_role="BOT", pred_postprocessor=dict(type=gsm8k_postprocess)
)

svamp_datasets = [
    dict(
        abbr="svamp",
        type=SVAMPDataset,
        path="opencompass/svamp",
        reader_cfg=svamp_reader_cfg,
        infer_cfg=svamp_infer_cfg,
        eval_cfg=svamp_eval_cfg,
    )
]
