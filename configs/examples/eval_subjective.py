"""Objective and subjective evaluation in one run: word problems by a rule, short texts by a judge, rated and compared.

OPENAI_MODEL sets the model at OPENAI_BASE_URL, JUDGE_MODEL the judge there.
"""

import os

from mmengine.config import read_base
from opencompass.models import OpenAISDK
from opencompass.partitioners import SubjectiveNaivePartitioner
from opencompass.runners import LocalRunner
from opencompass.summarizers import SubjectiveSummarizer
from opencompass.tasks import SubjectiveEvalTask

with read_base():
    from opencompass.configs.datasets.demo_arithmetic.demo_arithmetic_gen import demo_arithmetic_datasets
    from opencompass.configs.datasets.demo_writing.demo_writing_compare_gen import demo_writing_compare_datasets
    from opencompass.configs.datasets.demo_writing.demo_writing_gen import demo_writing_datasets
    from opencompass.configs.models.openai.openai_compatible import models

datasets = demo_arithmetic_datasets + demo_writing_datasets + demo_writing_compare_datasets

judge = dict(
    abbr="judge",
    type=OpenAISDK,
    path=os.getenv("JUDGE_MODEL", "judge"),
    key="ENV",
    batch_size=16,
    temperature=0,
    max_out_len=1024,
)

eval = dict(
    partitioner=dict(type=SubjectiveNaivePartitioner, models=models, judge_models=[judge]),
    runner=dict(type=LocalRunner, max_num_workers=4, task=dict(type=SubjectiveEvalTask)),
)

summarizer = dict(type=SubjectiveSummarizer, function="subjective")

work_dir = "outputs/eval_subjective"
