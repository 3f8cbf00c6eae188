"""C-Eval, validation questions, for chat models: reason, then name an option."""

from tasks.data.benchmarks.ceval import CEvalDataset
from tasks.infer.inferencers.names import GenInferencer
from tasks.prompts.retrievers import ZeroRetriever
from tasks.prompts.templates import PromptTemplate
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.evaluators.exact import AccEvaluator
from tasks.spec import read_base

with read_base():
    from .ceval_gen import ceval_reader_cfg, ceval_subjects

ceval_datasets = [
    dict(
        abbr=f"ceval-{name}",
        type=CEvalDataset,
        path="opencompass/ceval-exam",
        name=name,
        reader_cfg=ceval_reader_cfg,
        infer_cfg=dict(
            prompt_template=dict(
                type=PromptTemplate,
                template=dict(
                    round=[
                        dict(
                            role="HUMAN",
                            prompt=f"这是一道“{title}”的单项选择题。请先逐步分析，最后另起一行写“答案: X”，其中 X "
                            "是正确选项的字母。\n\n"
                            "{question}\n\nA) {A}\nB) {B}\nC) {C}\nD) {D}",
                        )
                    ]
                ),
            ),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer, max_out_len=1024),
        ),
        eval_cfg=dict(
            evaluator=dict(type=AccEvaluator),
            pred_role="BOT",
            pred_postprocessor=dict(type=first_option_postprocess, options="ABCD"),
        ),
    )
    for subjects in ceval_subjects.values()
    for name, title in subjects.items()
]
