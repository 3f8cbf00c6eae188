"""The same tasks; a judge compares each answer with a human answer, in both orders."""

from tasks.prompts.templates import PromptTemplate
from tasks.score.subjective.lm_evaluator import LMEvaluator
from tasks.score.subjective.postprocessors import alpacaeval_postprocess
from tasks.spec import read_base

with read_base():
    from .demo_writing_gen import demo_writing_datasets

demo_writing_compare_eval_cfg = dict(
    evaluator=dict(
        type=LMEvaluator,
        judge_cfg=dict(),
        prompt_template=dict(
            type=PromptTemplate,
            template=dict(
                round=[
                    dict(
                        role="HUMAN",
                        prompt="Task:\n{question}\n\nAnswer m:\n{prediction}\n\nAnswer M:\n{prediction2}\n\n"
                        "Which one does better what the task asks? Reply with [[m]], [[M]], or [[T]] for a tie.",
                    )
                ]
            ),
        ),
        dict_postprocessor=dict(type=alpacaeval_postprocess),
    )
)

demo_writing_compare_datasets = [
    demo_writing_datasets[0]
    | dict(
        abbr="demo_writing_compare",
        eval_cfg=demo_writing_compare_eval_cfg,
        mode="m2n",
        infer_order="double",
        base_models=["a-person"],
        given_pred=[dict(abbr="a-person", path="configs://datasets/demo_writing/base_answers.json")],
    )
]
