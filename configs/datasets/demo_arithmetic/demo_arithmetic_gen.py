"""One-step word problems, small numbers first: for trying a run, not for comparing models."""

from tasks.data.custom import CustomDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import gsm8k_postprocess
from tasks.score.evaluators.exact import Gsm8kEvaluator

demo_arithmetic_reader_cfg = dict(input_columns=["question"], output_column="answer")

demo_arithmetic_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(role="HUMAN", prompt="Anna has 2 cups and buys 3 more. How many cups does she have?"),
                dict(role="BOT", prompt="Anna has 2 + 3 = 5 cups. The answer is 5."),
                dict(role="HUMAN", prompt="There were 8 pears and 5 were eaten. How many pears are left?"),
                dict(role="BOT", prompt="There are 8 - 5 = 3 pears left. The answer is 3."),
                dict(role="HUMAN", prompt="A pack has 4 stamps. How many stamps are in 2 packs?"),
                dict(role="BOT", prompt="There are 4 * 2 = 8 stamps. The answer is 8."),
                dict(role="HUMAN", prompt="Nine nuts are shared equally by 3 squirrels. How many nuts does each get?"),
                dict(role="BOT", prompt="Each squirrel gets 9 / 3 = 3 nuts. The answer is 3."),
                dict(role="HUMAN", prompt="{question}"),
            ],
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=64),
)

demo_arithmetic_eval_cfg = dict(
    evaluator=dict(type=Gsm8kEvaluator),
    pred_postprocessor=dict(type=gsm8k_postprocess),
)

demo_arithmetic_datasets = [
    dict(
        abbr="demo_arithmetic",
        type=CustomDataset,
        path="configs://datasets/demo_arithmetic/demo_arithmetic.jsonl",
        reader_cfg=demo_arithmetic_reader_cfg,
        infer_cfg=demo_arithmetic_infer_cfg,
        eval_cfg=demo_arithmetic_eval_cfg,
    )
]
