"""CMMLU with the five examples of each subject, answered by a letter alone; for base and chat models."""

from tasks.data.benchmarks.cmmlu import CMMLUDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import FixKRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator
from tasks.spec import read_base

with read_base():
    from .cmmlu_gen import cmmlu_reader_cfg, cmmlu_subjects

_questions = {
    name: dict(
        role="HUMAN",
        prompt=f"下面是一道关于{title}的单项选择题，请写出正确选项的字母。\n"
        "{question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\n答案：",
    )
    for subjects in cmmlu_subjects.values()
    for name, title in subjects.items()
}

cmmlu_datasets = [
    dict(
        abbr=f"cmmlu-{name}",
        type=CMMLUDataset,
        path="opencompass/cmmlu",
        name=name,
        reader_cfg=cmmlu_reader_cfg,
        infer_cfg=dict(
            ice_template=dict(
                type=PromptTemplate, template=dict(round=[question, dict(role="BOT", prompt="{answer}\n")])
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
