"""TriviaQA: quiz questions with short answers."""

from tasks.data.benchmarks.open_questions import TriviaQADataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.open_answers import TriviaQAEvaluator

triviaqa_reader_cfg = dict(input_columns=["question"], output_column="answer", train_split="test", test_split="dev")

triviaqa_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="Answer this quiz question with a few words, nothing else.\nQuestion: {question}\nAnswer:",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=50),
)

triviaqa_eval_cfg = dict(
    evaluator=dict(type=TriviaQAEvaluator),
    pred_role="BOT",
)

triviaqa_datasets = [
    dict(
        abbr="triviaqa",
        type=TriviaQADataset,
        path="opencompass/trivia_qa",
        reader_cfg=triviaqa_reader_cfg,
        infer_cfg=triviaqa_infer_cfg,
        eval_cfg=triviaqa_eval_cfg,
    )
]
