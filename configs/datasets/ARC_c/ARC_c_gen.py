"""ARC-Challenge: answered by the letter of an option."""

from tasks.data.benchmarks.arc import ARCDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

ARC_c_reader_cfg = dict(input_columns=["question", "textA", "textB", "textC", "textD"], output_column="answerKey")

ARC_c_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="Question: {question}\nA. {textA}\nB. {textB}\nC. {textC}\nD. {textD}\n"
                    "Which option is right? Reply with its letter.\nAnswer:",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

ARC_c_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="ABCD"),
)

ARC_c_datasets = [
    dict(
        abbr="ARC-c",
        type=ARCDataset,
        path="opencompass/ai2_arc-dev",
        name="ARC-Challenge",
        reader_cfg=ARC_c_reader_cfg,
        infer_cfg=ARC_c_infer_cfg,
        eval_cfg=ARC_c_eval_cfg,
    )
]
