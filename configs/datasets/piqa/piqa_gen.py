"""PIQA: answered by the letter of the working solution."""

from tasks.data.benchmarks.piqa import PIQADatasetV2
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

piqa_reader_cfg = dict(input_columns=["goal", "sol1", "sol2"], output_column="answer", test_split="validation")

piqa_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="What you want: {goal}\nA. {sol1}\nB. {sol2}\n"
                    "Which of the two works? Reply with A or B.\nAnswer:",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

piqa_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="AB"),
)

piqa_datasets = [
    dict(
        abbr="piqa",
        type=PIQADatasetV2,
        path="opencompass/piqa",
        reader_cfg=piqa_reader_cfg,
        infer_cfg=piqa_infer_cfg,
        eval_cfg=piqa_eval_cfg,
    )
]
