"""ARC-Easy by perplexity: chooses the likeliest answer."""

from tasks.data.benchmarks.arc import ARCDataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

ARC_e_reader_cfg = dict(input_columns=["question", "textA", "textB", "textC", "textD"], output_column="answerKey")

ARC_e_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template={letter: f"Question: {{question}}\nAnswer: {{text{letter}}}" for letter in "ABCD"},
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
)

ARC_e_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

ARC_e_datasets = [
    dict(
        abbr="ARC-e",
        type=ARCDataset,
        path="opencompass/ai2_arc-easy-dev",
        name="ARC-Easy",
        reader_cfg=ARC_e_reader_cfg,
        infer_cfg=ARC_e_infer_cfg,
        eval_cfg=ARC_e_eval_cfg,
    )
]
