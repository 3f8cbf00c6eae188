"""Social IQa by likelihood: chooses the likeliest option."""

from tasks.data.benchmarks.siqa import siqaDataset_V3
from tasks.infer.inferencers.names import PPLInferencer
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
        template={
            letter: dict(
                round=[
                    dict(role="HUMAN", prompt="Situation: {context}\nQuestion: {question}"),
                    dict(role="BOT", prompt=f"Answer: {{{letter}}}"),
                ]
            )
            for letter in "ABC"
        },
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=PPLInferencer),
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
