"""Social IQa by the probability of the option's letter after the question: one request per sample and letter."""

from tasks.data.benchmarks.siqa import siqaDataset_V3
from tasks.infer.inferencers.names import CLPInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator

siqa_reader_cfg = dict(
    input_columns=["context", "question", "A", "B", "C"],
    output_column="answer",
    train_split="train",
    test_split="validation",
)

siqa_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template="Situation: {context}\nQuestion: {question}\nA. {A}\nB. {B}\nC. {C}\nAnswer:",
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=CLPInferencer, choices=[" A", " B", " C"]),
)

siqa_eval_cfg = dict(evaluator=dict(type=AccEvaluator))

siqa_datasets = [
    dict(
        abbr="siqa",
        type=siqaDataset_V3,
        path="opencompass/siqa",
        reader_cfg=siqa_reader_cfg,
        infer_cfg=siqa_infer_cfg,
        eval_cfg=siqa_eval_cfg,
    )
]
