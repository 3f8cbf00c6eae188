"""OpenBookQA: answered by the letter of an option."""

from tasks.data.benchmarks.openbookqa import OBQADataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

obqa_reader_cfg = dict(input_columns=["question_stem", "A", "B", "C", "D"], output_column="answerKey")

obqa_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="{question_stem}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\n"
                    "Which option completes or answers this? Reply with its letter.\nAnswer:",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

obqa_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="ABCD"),
)

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
