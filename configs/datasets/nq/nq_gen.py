"""Natural Questions: open questions from users of a search engine, with short answers."""

from tasks.data.benchmarks.open_questions import NaturalQuestionDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.open_answers import NQEvaluator

nq_reader_cfg = dict(input_columns=["question"], output_column="answer", train_split="dev", test_split="test")

nq_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="Answer with a name, a date or a few words, nothing else.\nQuestion: {question}?\nAnswer:",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=50),
)

nq_eval_cfg = dict(
    evaluator=dict(type=NQEvaluator),
    pred_role="BOT",
)

nq_datasets = [
    dict(
        abbr="nq",
        type=NaturalQuestionDataset,
        path="opencompass/natural_question",
        reader_cfg=nq_reader_cfg,
        infer_cfg=nq_infer_cfg,
        eval_cfg=nq_eval_cfg,
    )
]
