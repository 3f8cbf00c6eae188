"""OCNLI: does one Chinese sentence follow from another, contradict it, or neither? Answered by a letter."""

from tasks.data.benchmarks.clue import CMNLIDatasetV2
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

ocnli_reader_cfg = dict(input_columns=["sentence1", "sentence2"], output_column="label")

ocnli_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="已知：{sentence1}\n那么“{sentence2}”这句话\nA. 一定对\nB. 一定错\nC. 不一定\n"
                    "请只回答选项的字母。\n答案：",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer),
)

ocnli_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="ABC"),
)

ocnli_datasets = [
    dict(
        abbr="ocnli",
        type=CMNLIDatasetV2,
        path="opencompass/OCNLI-dev",
        reader_cfg=ocnli_reader_cfg,
        infer_cfg=ocnli_infer_cfg,
        eval_cfg=ocnli_eval_cfg,
    )
]
