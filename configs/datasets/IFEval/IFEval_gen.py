"""IFEval: prompts with instructions that a program can check."""

from tasks.data.benchmarks.ifeval import IFEvalDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.benchmarks.ifeval.evaluator import IFEvaluator

ifeval_reader_cfg = dict(input_columns=["prompt"], output_column="reference")

ifeval_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{prompt}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=2048),
)

ifeval_eval_cfg = dict(evaluator=dict(type=IFEvaluator), pred_role="BOT")

ifeval_datasets = [
    dict(
        abbr="IFEval",
        type=IFEvalDataset,
        path="data/ifeval/input_data.jsonl",
        reader_cfg=ifeval_reader_cfg,
        infer_cfg=ifeval_infer_cfg,
        eval_cfg=ifeval_eval_cfg,
    )
]
