"""Word problems scored by a rule; a judge checks the answers that the rule scores as wrong.

OPENAI_MODEL sets the model at OPENAI_BASE_URL, JUDGE_MODEL the judge there.
"""

import os

from mmengine.config import read_base
from opencompass.datasets import generic_llmjudge_postprocess
from opencompass.evaluator import CascadeEvaluator, GenericLLMEvaluator
from opencompass.models import OpenAISDK
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.partitioners import NaivePartitioner
from opencompass.runners import LocalRunner
from opencompass.tasks import OpenICLEvalWatchTask

with read_base():
    from opencompass.configs.datasets.demo_arithmetic.demo_arithmetic_gen import demo_arithmetic_datasets
    from opencompass.configs.models.openai.openai_compatible import models

datasets = demo_arithmetic_datasets

judge_cfg = dict(
    abbr="judge",
    type=OpenAISDK,
    path=os.getenv("JUDGE_MODEL", "judge"),
    key="ENV",
    batch_size=16,
    temperature=0,
    max_out_len=512,
)

QUESTION = """\
Compare a student's answer with the reference. It is right if its final result means the same, however it is written.

Problem: {question}
Reference: {obj_gold}
Student: {prediction}

Reply with one letter. A: CORRECT, B: INCORRECT."""

for dataset in datasets:
    # The rule compares the extracted number; the judge sees the whole prediction.
    rule = dict(**dataset["eval_cfg"]["evaluator"], pred_postprocessor=dataset["eval_cfg"].pop("pred_postprocessor"))
    dataset["eval_cfg"]["evaluator"] = dict(
        type=CascadeEvaluator,
        parallel=False,
        rule_evaluator=rule,
        llm_evaluator=dict(
            type=GenericLLMEvaluator,
            prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role="HUMAN", prompt=QUESTION)])),
            dataset_cfg=dict(type=dataset["type"], path=dataset["path"], reader_cfg=dataset["reader_cfg"]),
            judge_cfg=judge_cfg,
            dict_postprocessor=dict(type=generic_llmjudge_postprocess),
        ),
    )

# Judging starts while other datasets are still being asked.
eval = dict(
    partitioner=dict(type=NaivePartitioner),
    runner=dict(type=LocalRunner, max_num_workers=4, task=dict(type=OpenICLEvalWatchTask)),
)

work_dir = "outputs/eval_llm_judge"
