"""LAMBADA for base models, which continue the passage."""

from tasks.data.benchmarks.lambada import lambadaDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.open_answers import LambadaEvaluator

lambada_reader_cfg = dict(input_columns=["prompt"], output_column="label", train_split="test", test_split="test")

lambada_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template="{prompt}"),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=5),
)

lambada_eval_cfg = dict(
    evaluator=dict(type=LambadaEvaluator),
    pred_role="BOT",
)

lambada_datasets = [
    dict(
        abbr="lambada",
        type=lambadaDataset,
        path="opencompass/lambada",
        reader_cfg=lambada_reader_cfg,
        infer_cfg=lambada_infer_cfg,
        eval_cfg=lambada_eval_cfg,
    )
]
