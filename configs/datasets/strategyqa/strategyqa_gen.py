"""StrategyQA: yes/no questions that need several facts, with four worked examples."""

from tasks.data.benchmarks.open_questions import StrategyQADataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.dataset_postprocessors import strategyqa_dataset_postprocess, strategyqa_pred_postprocess
from tasks.score.evaluators.exact import AccEvaluator

strategyqa_reader_cfg = dict(input_columns=["question"], output_column="answer")

strategyqa_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(role="HUMAN", prompt="Question: Could a giraffe stand upright in a normal living room?"),
                dict(
                    role="BOT",
                    prompt="A grown giraffe is about five metres tall. A living room is less than three metres high. "
                    "So the answer is no.",
                ),
                dict(role="HUMAN", prompt="Question: Could Julius Caesar have eaten olives?"),
                dict(
                    role="BOT",
                    prompt="Julius Caesar lived in Italy in the first century BC. Olives had long been grown there. "
                    "So the answer is yes.",
                ),
                dict(role="HUMAN", prompt="Question: Did Mozart ever hear a recording of his own music?"),
                dict(
                    role="BOT",
                    prompt="Mozart died in 1791. The first device that recorded sound was built in the 19th century. "
                    "So the answer is no.",
                ),
                dict(role="HUMAN", prompt="Question: Is the moon always full during a lunar eclipse?"),
                dict(
                    role="BOT",
                    prompt="In a lunar eclipse the Earth stands between sun and moon. The moon is full exactly then. "
                    "So the answer is yes.",
                ),
                dict(role="HUMAN", prompt="Question: {question}"),
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=512),
)

strategyqa_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=strategyqa_pred_postprocess),
    dataset_postprocessor=dict(type=strategyqa_dataset_postprocess),
)

strategyqa_datasets = [
    dict(
        abbr="strategyqa",
        type=StrategyQADataset,
        path="opencompass/strategy_qa",
        reader_cfg=strategyqa_reader_cfg,
        infer_cfg=strategyqa_infer_cfg,
        eval_cfg=strategyqa_eval_cfg,
    )
]
