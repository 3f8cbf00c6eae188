"""MMLU-Pro without examples: reason, then name an option."""

from tasks.data.benchmarks.mmlu_pro import MMLUProDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator
from tasks.spec import read_base

with read_base():
    from .mmlu_pro_few_shot_gen import mmlu_pro_categories

mmlu_pro_datasets = [
    dict(
        abbr=f"mmlu_pro_{category.replace(' ', '_')}",
        type=MMLUProDataset,
        path="opencompass/mmlu_pro",
        category=category,
        reader_cfg=dict(
            input_columns=["question", "options_str"],
            output_column="answer",
            train_split="validation",
            test_split="test",
        ),
        infer_cfg=dict(
            prompt_template=dict(
                type=PromptTemplate,
                template=dict(
                    round=[
                        dict(
                            role="HUMAN",
                            prompt=f"A question about {category}, of whose options one is right. Reason step by step, "
                            "and finish with a line of the form 'ANSWER: X', where X is the option's letter.\n\n"
                            "{question}\n\n{options_str}",
                        )
                    ]
                ),
            ),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=2048),
        ),
        eval_cfg=dict(
            evaluator=dict(type=AccEvaluator),
            pred_role="BOT",
            pred_postprocessor=dict(type=first_option_postprocess, options="ABCDEFGHIJ"),
        ),
    )
    for category in mmlu_pro_categories
]
