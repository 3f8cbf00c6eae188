"""NQ-Open, with one example: open questions from users of a search engine, with short answers."""

from tasks.data.benchmarks.open_questions import NQOpenDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import FixKRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.open_answers import NQEvaluator

nq_open_reader_cfg = dict(
    input_columns=["question"], output_column="answer", train_split="train", test_split="validation"
)

nq_open_infer_cfg = dict(
    ice_template=dict(
        type=PromptTemplate,
        template=dict(
            begin="</E>",
            round=[
                dict(
                    role="HUMAN",
                    prompt="Answer with a name, a date or a few words, nothing else.\nQuestion: {question}?",
                ),
                dict(role="BOT", prompt="Answer: {answer}."),
            ],
        ),
        ice_token="</E>",
    ),
    retriever=dict(type=FixKRetriever, fix_id_list=[0]),
    inferencer=dict(type=GenInferencer, max_out_len=50),
)

nq_open_eval_cfg = dict(
    evaluator=dict(type=NQEvaluator),
    pred_role="BOT",
)

nq_datasets = [
    dict(
        abbr="nq_open_1shot",
        type=NQOpenDataset,
        path="opencompass/nq_open",
        reader_cfg=nq_open_reader_cfg,
        infer_cfg=nq_open_infer_cfg,
        eval_cfg=nq_open_eval_cfg,
    )
]
