"""TriviaQA's questions about Wikipedia, with one example."""

from tasks.data.benchmarks.open_questions import TriviaQADatasetV2
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import FixKRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.open_answers import TriviaQAEvaluator

triviaqa_wiki_1shot_reader_cfg = dict(
    input_columns=["question"], output_column="answer", train_split="train", test_split="validation"
)

triviaqa_wiki_1shot_infer_cfg = dict(
    ice_template=dict(
        type=PromptTemplate,
        template=dict(
            begin="</E>",
            round=[
                dict(
                    role="HUMAN",
                    prompt="Answer this quiz question with a few words, nothing else.\nQuestion: {question}",
                ),
                dict(role="BOT", prompt="Answer: {answer}."),
            ],
        ),
        ice_token="</E>",
    ),
    retriever=dict(type=FixKRetriever, fix_id_list=[0]),
    inferencer=dict(type=GenInferencer, max_out_len=50),
)

triviaqa_wiki_1shot_eval_cfg = dict(
    evaluator=dict(type=TriviaQAEvaluator),
    pred_role="BOT",
)

triviaqa_datasets = [
    dict(
        abbr="triviaqa_wiki_1shot",
        type=TriviaQADatasetV2,
        path="opencompass/trivia_qa",
        reader_cfg=triviaqa_wiki_1shot_reader_cfg,
        infer_cfg=triviaqa_wiki_1shot_infer_cfg,
        eval_cfg=triviaqa_wiki_1shot_eval_cfg,
    )
]
