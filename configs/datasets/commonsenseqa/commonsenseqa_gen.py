"""CommonsenseQA, asked for a letter, with the first eight training questions as examples."""

from tasks.data.benchmarks.commonsenseqa import commonsenseqaDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import FixKRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator

commonsenseqa_reader_cfg = dict(
    input_columns=["question", "A", "B", "C", "D", "E"], output_column="answerKey", test_split="validation"
)

commonsenseqa_infer_cfg = dict(
    ice_template=dict(
        type=PromptTemplate,
        template=dict(
            begin="</E>",
            round=[
                dict(
                    role="HUMAN",
                    prompt="{question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\nE. {E}\nReply with the letter.\nAnswer:",
                ),
                dict(role="BOT", prompt="{answerKey}"),
            ],
        ),
        ice_token="</E>",
    ),
    retriever=dict(type=FixKRetriever, fix_id_list=[0, 1, 2, 3, 4, 5, 6, 7]),
    inferencer=dict(type=GenInferencer),
)

commonsenseqa_eval_cfg = dict(
    evaluator=dict(type=AccEvaluator),
    pred_role="BOT",
    pred_postprocessor=dict(type=first_option_postprocess, options="ABCDE"),
)

commonsenseqa_datasets = [
    dict(
        abbr="commonsense_qa",
        type=commonsenseqaDataset,
        path="opencompass/commonsense_qa",
        reader_cfg=commonsenseqa_reader_cfg,
        infer_cfg=commonsenseqa_infer_cfg,
        eval_cfg=commonsenseqa_eval_cfg,
    )
]
