"""TheoremQA for chat models, without examples."""

from tasks.data.benchmarks.theoremqa import TheoremQADatasetV3
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.benchmarks.theoremqa import TheoremQA_postprocess_v3, TheoremQAEvaluatorV3

TheoremQA_reader_cfg = dict(input_columns=["Question", "Answer_type"], output_column="Answer")

TheoremQA_infer_cfg = dict(
    prompt_template=dict(
        type=PromptTemplate,
        template=dict(
            round=[
                dict(
                    role="HUMAN",
                    prompt="{Question}\n\nFind out which theorem applies, and work out the result step by step. The "
                    "answer is a number, a list of numbers such as [1, 2], True or False, or the letter of an option "
                    "such as (a). Finish with the sentence 'The answer is …', with nothing but the answer in place "
                    "of the dots.",
                )
            ]
        ),
    ),
    retriever=dict(type=ZeroRetriever),
    inferencer=dict(type=GenInferencer, max_out_len=1024),
)

TheoremQA_eval_cfg = dict(
    evaluator=dict(type=TheoremQAEvaluatorV3),
    pred_role="BOT",
    pred_postprocessor=dict(type=TheoremQA_postprocess_v3),
)

TheoremQA_datasets = [
    dict(
        abbr="TheoremQA",
        type=TheoremQADatasetV3,
        path="opencompass/TheoremQA",
        reader_cfg=TheoremQA_reader_cfg,
        infer_cfg=TheoremQA_infer_cfg,
        eval_cfg=TheoremQA_eval_cfg,
    )
]
