"""HumanEval for chat models: the function to complete in a fenced block, and a fenced block as the answer."""

from tasks.data.benchmarks.humaneval import HumanevalDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.code_postprocessors import humaneval_postprocess_v2
from tasks.score.benchmarks.humaneval import HumanEvalEvaluator

humaneval_reader_cfg = dict(input_columns=["prompt"], output_column="task_id")

humaneval_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="This Python function has a signature and a description, but no body yet: write it.\n\n"
                    "```python\n{prompt}```\n\nAnswer with one fenced Python block that holds the finished function, "
                    "together with whatever it imports or calls.",
                ),
            ],
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=1024),
)

humaneval_eval_cfg = dict(
    evaluator=dict(type=HumanEvalEvaluator),
    pred_role="BOT",
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
