"""Social IQa: answered by the letter of an option."""

from tasks.data.benchmarks.siqa import siqaDataset_V3
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
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
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="Situation: {context}\n{question}\nA. {A}\nB. {B}\nC. {C}\n"
                    "Which option fits best? Reply with its letter.\nAnswer:",
                ),
            ],
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

siqa_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="ABC"),
)

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
