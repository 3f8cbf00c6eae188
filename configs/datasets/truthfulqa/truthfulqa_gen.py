"""TruthfulQA, answered freely: is the answer more like the true or the false ones, by BLEU and ROUGE?"""

from tasks.data.benchmarks.truthfulqa import TruthfulQADataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.benchmarks.truthfulqa import TruthfulQAEvaluator

truthfulqa_reader_cfg = dict(
    input_columns=["question"], output_column="reference", train_split="validation", test_split="validation"
)

truthfulqa_infer_cfg = dict(
    prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt="{question}")])),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=512),
)

truthfulqa_eval_cfg = dict(evaluator=dict(type=TruthfulQAEvaluator, metrics=("bleu", "rouge")), pred_role="BOT")

truthfulqa_datasets = [
    dict(
        abbr="truthful_qa",
        type=TruthfulQADataset,
        path="truthful_qa",
        name="generation",
        reader_cfg=truthfulqa_reader_cfg,
        infer_cfg=truthfulqa_infer_cfg,
        eval_cfg=truthfulqa_eval_cfg,
    )
]
