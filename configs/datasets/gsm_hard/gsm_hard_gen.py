"""GSM-Hard, answered step by step."""

from tasks.data.benchmarks.gsm_hard import GSMHardDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import gsm8k_postprocess
from tasks.score.evaluators.exact import Gsm8kEvaluator

gsm_hard_reader_cfg = dict(input_columns=["question"], output_column="answer")

gsm_hard_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="{question}\n\nCalculate step by step. The numbers may be large and the result may have "
                    "decimals or be negative: give it exactly, in a last line of the form 'The answer is N'.",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=1024),
)

gsm_hard_eval_cfg = dict(
    evaluator=dict(type=Gsm8kEvaluator, tolerance=1e-3),
    pred_role="BOT",
    pred_postprocessor=dict(type=gsm8k_postprocess),
)

gsmhard_datasets = [
    dict(
        abbr="gsm-hard",
        type=GSMHardDataset,
        path="data/gsm-hard/test.jsonl",
        reader_cfg=gsm_hard_reader_cfg,
        infer_cfg=gsm_hard_infer_cfg,
        eval_cfg=gsm_hard_eval_cfg,
    )
]
