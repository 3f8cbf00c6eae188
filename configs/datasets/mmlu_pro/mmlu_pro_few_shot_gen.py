"""MMLU-Pro with five worked solutions of the category, as in the paper."""

from tasks.data.benchmarks.mmlu_pro import MMLUProDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import FixKRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.mmlu_pro import mmlu_pro_postprocess
from tasks.score.evaluators.exact import AccEvaluator

mmlu_pro_categories = [
    "math",
    "physics",
    "chemistry",
    "law",
    "engineering",
    "other",
    "economics",
    "health",
    "psychology",
    "business",
    "biology",
    "philosophy",
    "computer science",
    "history",
]

_question = dict(role="HUMAN", prompt="{question}\n{options_str}\nReason first, then say which option is right.")

mmlu_pro_datasets = [
    dict(
        abbr=f"mmlu_pro_{category.replace(' ', '_')}",
        type=MMLUProDataset,
        path="opencompass/mmlu_pro",
        category=category,
        reader_cfg=dict(
            input_columns=["question", "cot_content", "options_str"],
            output_column="answer",
            train_split="validation",
            test_split="test",
        ),
        infer_cfg=dict(
            ice_template=dict(
                type=PromptTemplate, template=dict(round=[_question, dict(role="BOT", prompt="{cot_content}")])
            ),
            prompt_template=dict(type=PromptTemplate, template=dict(begin="</E>", round=[_question]), ice_token="</E>"),
            retriever=dict(type=FixKRetriever, fix_id_list=[0, 1, 2, 3, 4]),
            inferencer=dict(type=GenInferencer, max_out_len=2048),
        ),
        eval_cfg=dict(
            evaluator=dict(type=AccEvaluator), pred_role="BOT", pred_postprocessor=dict(type=mmlu_pro_postprocess)
        ),
    )
    for category in mmlu_pro_categories
]
