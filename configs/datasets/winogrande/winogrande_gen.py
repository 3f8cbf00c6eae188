"""WinoGrande: answered by the letter of the name that fills the gap."""

from tasks.data.benchmarks.winogrande import WinograndeDatasetV2
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

winogrande_reader_cfg = dict(input_columns=["prompt", "only_option1", "only_option2"], output_column="answer")

winogrande_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="{prompt}\n\nWho or what belongs into the gap?\nA. {only_option1}\nB. {only_option2}\n"
                    "Reply with A or B.\nAnswer:",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

winogrande_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="AB"),
)

winogrande_datasets = [
    dict(
        abbr="winogrande",
        type=WinograndeDatasetV2,
        path="opencompass/winogrande",
        reader_cfg=winogrande_reader_cfg,
        infer_cfg=winogrande_infer_cfg,
        eval_cfg=winogrande_eval_cfg,
    )
]
