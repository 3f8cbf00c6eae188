"""IFBench: prompts with instructions, unlike the usual ones, that a program can check."""

from tasks.data.benchmarks.ifbench import IFBenchDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.benchmarks.ifbench.evaluator import IFBenchEvaluator

ifbench_reader_cfg = dict(input_columns=["prompt"], output_column="reference")

ifbench_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{prompt}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=4096),
)

ifbench_eval_cfg = dict(evaluator=dict(type=IFBenchEvaluator), pred_role="BOT")

ifbench_datasets = [
    dict(
        abbr="IFBench",
        type=IFBenchDataset,
        path="opencompass/IFBench",
        reader_cfg=ifbench_reader_cfg,
        infer_cfg=ifbench_infer_cfg,
        eval_cfg=ifbench_eval_cfg,
    )
]
