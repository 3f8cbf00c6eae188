"""The hand-checked part of MBPP: three solved tasks of the train split as a dialogue, then the task with its tests."""

from tasks.data.benchmarks.mbpp import SanitizedMBPPDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import FixKRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.benchmarks.mbpp import MBPPEvaluator

sanitized_mbpp_reader_cfg = dict(
    input_columns=["text", "test_list", "code"], output_column="test_column", train_split="train", test_split="test"
)

sanitized_mbpp_infer_cfg = dict(
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

sanitized_mbpp_eval_cfg = dict(evaluator=dict(type=MBPPEvaluator), pred_role="BOT")

sanitized_mbpp_datasets = [
    dict(
        abbr="sanitized_mbpp",
        type=SanitizedMBPPDataset,
        path="opencompass/sanitized_mbpp",
        reader_cfg=sanitized_mbpp_reader_cfg,
        infer_cfg=sanitized_mbpp_infer_cfg,
        eval_cfg=sanitized_mbpp_eval_cfg,
    )
]
