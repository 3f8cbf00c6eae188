"""Easy questions with four options each. For trying a run, not for comparing models."""

from tasks.data.custom import CustomDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

demo_choice_reader_cfg = dict(input_columns=["question", "A", "B", "C", "D"], output_column="answer")

demo_choice_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(role="HUMAN", prompt="Fish = A, Dog = B, Snail = C, Hen = D. Which animal barks?"),
                dict(role="BOT", prompt="Dog = B. The answer is B."),
                dict(role="HUMAN", prompt="Two = A, Five = B, Six = C, Nine = D. What is 1 + 1?"),
                dict(role="BOT", prompt="Two = A. The answer is A."),
                dict(role="HUMAN", prompt="Oslo = A, Cairo = B, Rome = C, Delhi = D. What is the capital of Italy?"),
                dict(role="BOT", prompt="Rome = C. The answer is C."),
                dict(role="HUMAN", prompt="Chair = A, Stone = B, Shoe = C, Tea = D. Which of these is a drink?"),
                dict(role="BOT", prompt="Tea = D. The answer is D."),
                dict(role="HUMAN", prompt="{A} = A, {B} = B, {C} = C, {D} = D. {question}"),
            ],
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=64),
)

demo_choice_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_postprocessor=dict(type=first_option_postprocess, options="ABCD"),
)

demo_choice_datasets = [
    dict(
        abbr="demo_choice",
        type=CustomDataset,
        path="configs://datasets/demo_choice/demo_choice.jsonl",
        reader_cfg=demo_choice_reader_cfg,
        infer_cfg=demo_choice_infer_cfg,
        eval_cfg=demo_choice_eval_cfg,
    )
]
