"""ARC-Challenge by perplexity: chooses the likeliest answer."""

from tasks.data.benchmarks.arc import ARCDataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

ARC_c_reader_cfg = dict(input_columns=["question", "textA", "textB", "textC", "textD"], output_column="answerKey")

ARC_c_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template={letter: f"Question: {{question}}\nAnswer: {{text{letter}}}" for letter in "ABCD"},
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
)

ARC_c_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

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
