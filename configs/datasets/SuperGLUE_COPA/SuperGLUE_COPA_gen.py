"""COPA: which of two sentences is the cause or effect of another; answered by a letter."""

from tasks.data.benchmarks.superglue import COPADataset_V2
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

copa_reader_cfg = dict(input_columns=["question", "premise", "choice1", "choice2"], output_column="label")

copa_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="{premise}\nWhich of these is more likely its {question}?\nA. {choice1}\nB. {choice2}\n"
                    "Reply with the letter.\nAnswer:",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

copa_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="AB"),
)

COPA_datasets = [
    dict(
        abbr="COPA",
        type=COPADataset_V2,
        path="opencompass/copa",
        reader_cfg=copa_reader_cfg,
        infer_cfg=copa_infer_cfg,
        eval_cfg=copa_eval_cfg,
    )
]
