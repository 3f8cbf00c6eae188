"""HumanEval-X for chat models, Python part only; programs in other languages cannot be run."""

from tasks.data.benchmarks.humanevalx import HumanevalXDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.code_postprocessors import humaneval_postprocess_v2
from tasks.score.benchmarks.humaneval import HumanevalXEvaluator

humanevalx_reader_cfg = dict(input_columns=["prompt"], output_column="task_id")

humanevalx_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="Finish this Python function so that it does what its description says.\n\n"
                    "```python\n{prompt}```\n\nAnswer with one fenced Python block that holds the finished function, "
                    "together with whatever it imports or calls.",
                ),
            ],
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=1024),
)

humanevalx_eval_cfg = dict(
    evaluator=dict(type=HumanevalXEvaluator, language="python"),
    pred_role="BOT",
    pred_postprocessor=dict(type=humaneval_postprocess_v2),
)

humanevalx_datasets = [
    dict(
        abbr="humanevalx-python",
        type=HumanevalXDataset,
        path="opencompass/humanevalx",
        language="python",
        reader_cfg=humanevalx_reader_cfg,
        infer_cfg=humanevalx_infer_cfg,
        eval_cfg=humanevalx_eval_cfg,
    )
]
