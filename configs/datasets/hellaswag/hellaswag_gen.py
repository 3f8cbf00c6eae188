"""HellaSwag: answered by the letter of the likeliest continuation."""

from tasks.data.benchmarks.hellaswag import HellaswagDataset_V2
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

hellaswag_reader_cfg = dict(input_columns=["ctx", "A", "B", "C", "D"], output_column="label")

hellaswag_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="{ctx}\n\nHow does it go on?\nA. {A}\nB. {B}\nC. {C}\nD. {D}\n"
                    "Reply with the letter of the likeliest continuation.\nAnswer:",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

hellaswag_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="ABCD"),
)

hellaswag_datasets = [
    dict(
        abbr="hellaswag",
        type=HellaswagDataset_V2,
        path="opencompass/hellaswag",
        reader_cfg=hellaswag_reader_cfg,
        infer_cfg=hellaswag_infer_cfg,
        eval_cfg=hellaswag_eval_cfg,
    )
]
