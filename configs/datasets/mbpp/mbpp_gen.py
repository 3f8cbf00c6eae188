"""MBPP: three solved tasks of the train split as a dialogue, then the task with its tests."""

from tasks.data.benchmarks.mbpp import MBPPDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import FixKRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.benchmarks.mbpp import MBPPEvaluator

mbpp_reader_cfg = dict(
    input_columns=["text", "test_list", "code"], output_column="test_column", train_split="train", test_split="test"
)

mbpp_infer_cfg = dict(
    ice_template=dict(
        type=PromptTemplate,
        template=dict(
            begin="</E>",
            round=[
                dict(
                    role="HUMAN",
                    prompt="Task: {text}\nYour Python code has to pass these tests:\n\n{test_list}\n\n"
                    "Put the code between [BEGIN] and [DONE].",
                ),
                dict(role="BOT", prompt="[BEGIN]\n{code}\n[DONE]"),
            ],
        ),
        ice_token="</E>",
    ),
    retriever=dict(type=FixKRetriever, fix_id_list=[1, 2, 3]),
    inferencer=dict(type=GenInferencer, max_out_len=512, stopping_criteria=["[DONE]"]),
)

mbpp_eval_cfg = dict(evaluator=dict(type=MBPPEvaluator), pred_role="BOT")

mbpp_datasets = [
    dict(
        abbr="mbpp",
        type=MBPPDataset,
        path="opencompass/mbpp",
        reader_cfg=mbpp_reader_cfg,
        infer_cfg=mbpp_infer_cfg,
        eval_cfg=mbpp_eval_cfg,
    )
]
