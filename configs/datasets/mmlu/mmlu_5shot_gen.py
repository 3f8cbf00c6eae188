"""MMLU with the five examples of each subject, answered by a letter alone; for base and chat models."""

from tasks.data.benchmarks.mmlu import MMLUDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import FixKRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator
from tasks.spec import read_base

with read_base():
    from .mmlu_gen import mmlu_all_sets, mmlu_reader_cfg

_questions = {
    name: dict(
        role="HUMAN",
        prompt=f"A question about {name.replace('_', ' ')} with one right option. Reply with its letter.\n"
        "{input}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\nAnswer:",
    )
    for name in mmlu_all_sets
}

mmlu_datasets = [
    dict(
        abbr=f"lukaemon_mmlu_{name}",
        type=MMLUDataset,
        path="opencompass/mmlu",
        name=name,
        reader_cfg=mmlu_reader_cfg,
        infer_cfg=dict(
            ice_template=dict(
                type=PromptTemplate, template=dict(round=[question, dict(role="BOT", prompt="{target}\n")])
            ),
            prompt_template=dict(type=PromptTemplate, template=dict(begin="</E>", round=[question]), ice_token="</E>"),
            retriever=dict(type=FixKRetriever, fix_id_list=[0, 1, 2, 3, 4]),
            inferencer=dict(type=GenInferencer, max_out_len=50),
        ),
        eval_cfg=dict(
            evaluator=dict(type=AccEvaluator),
            pred_role="BOT",
            pred_postprocessor=dict(type=first_option_postprocess, options="ABCD"),
        ),
    )
    for name, question in _questions.items()
]
