"""C-Eval, validation questions, by perplexity with the five examples of each subject."""

from tasks.data.benchmarks.ceval import CEvalDataset
from tasks.infer.inferencers.names import PPLInferencer
from tasks.prompts.retrievers import FixKRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.evaluators.exact import AccEvaluator
from tasks.spec import read_base

with read_base():
    from .ceval_gen import ceval_reader_cfg, ceval_subjects

_question = "{question}\nA. {A}\nB. {B}\nC. {C}\nD. {D}\n答案："

ceval_datasets = [
    dict(
        abbr=f"ceval-{name}",
        type=CEvalDataset,
        path="opencompass/ceval-exam",
        name=name,
        reader_cfg=ceval_reader_cfg,
        infer_cfg=dict(
            ice_template=dict(type=PromptTemplate, template={letter: f"{_question}{letter}\n" for letter in "ABCD"}),
            prompt_template=dict(
                type=PromptTemplate,
                template={
                    letter: f"下面是“{title}”考试的单项选择题和答案。\n\n</E>{_question}{letter}" for letter in "ABCD"
                },
                ice_token="</E>",
            ),
            retriever=dict(type=FixKRetriever, fix_id_list=[0, 1, 2, 3, 4]),
            inferencer=dict(type=PPLInferencer),
        ),
        eval_cfg=dict(evaluator=dict(type=AccEvaluator)),
    )
    for subjects in ceval_subjects.values()
    for name, title in subjects.items()
]
