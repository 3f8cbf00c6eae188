"""HumanEval for base models: the model continues the file after the function's docstring."""

from tasks.data.benchmarks.humaneval import HumanevalDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.code_postprocessors import humaneval_postprocess_v2
from tasks.score.benchmarks.humaneval import HumanEvalEvaluator

humaneval_reader_cfg = dict(input_columns=["prompt"], output_column="task_id")

humaneval_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template="{prompt}"),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(
        type=GenInferencer,
        max_out_len=512,
        stopping_criteria=["\nclass ", "\ndef ", "\n#", "\n@", "\nif ", "\nprint(", "\nassert ", "\n```"],
    ),
)

humaneval_eval_cfg = dict(
    evaluator=dict(type=HumanEvalEvaluator),
    pred_postprocessor=dict(type=humaneval_postprocess_v2),
)

humaneval_datasets = [
    dict(
        abbr="openai_humaneval",
        type=HumanevalDataset,
        path="opencompass/humaneval",
        reader_cfg=humaneval_reader_cfg,
        infer_cfg=humaneval_infer_cfg,
        eval_cfg=humaneval_eval_cfg,
    )
]
