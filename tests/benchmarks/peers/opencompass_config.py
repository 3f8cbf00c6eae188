"""The language that OpenCompass and this system share: the same configuration for both, and the same result files."""

import json
import shutil
from pathlib import Path

from benchmarks.peers.peer import Job, Outcome

_TEXT = """
from opencompass.datasets import CustomDataset, Gsm8kEvaluator, gsm8k_postprocess
from opencompass.models import OpenAISDK
from opencompass.openicl.icl_inferencer import GenInferencer
from opencompass.openicl.icl_prompt_template import PromptTemplate
from opencompass.openicl.icl_retriever import ZeroRetriever

datasets = [
    dict(
        abbr=abbr,
        type=CustomDataset,
        path=path,
        reader_cfg=dict(input_columns=['question'], output_column='answer'),
        infer_cfg=dict(
            prompt_template=dict(type=PromptTemplate, template=dict(round=[dict(role='HUMAN', prompt='{{question}}')])),
            retriever=dict(type=ZeroRetriever),
            inferencer=dict(type=GenInferencer),
        ),
        eval_cfg=dict(evaluator=dict(type=Gsm8kEvaluator), pred_postprocessor=dict(type=gsm8k_postprocess)),
    )
    for abbr, path in {datasets!r}.items()
]
models = [
    dict(
        type=OpenAISDK,
        abbr=name,
        path=name,
        key='EMPTY',
        openai_api_base={api!r},
        meta_template=dict(
            round=[dict(role='HUMAN', api_role='HUMAN'), dict(role='BOT', api_role='BOT', generate=True)]
        ),
        max_out_len=512,
        {model},
    )
    for name in {models!r}
]
work_dir = {work_dir!r}
"""


def config_text(job: Job, model: str, work_dir: str) -> str:
    """A configuration with so many settings of the model; its runs go below `work_dir`."""
    datasets = {path.stem: str(path) for path in job.datasets}
    return _TEXT.format(datasets=datasets, api=job.api, model=model, models=list(job.models), work_dir=work_dir)


def newest_run(job: Job, work_dir: str) -> Path:
    """The folder that a run, or the last one of several, has made."""
    return max((job.folder / work_dir).iterdir())


def forget_scores(run: Path) -> None:
    """Leaves the answers, so that they are scored again."""
    shutil.rmtree(run / "results")


def read_outcome(run: Path, job: Job) -> Outcome:
    """What stands in a run folder; a prediction that is missing or empty is no answer."""
    samples = {path.stem: len(path.read_text().splitlines()) for path in job.datasets}
    answered = right = 0
    for file in run.glob("predictions/*/*.json"):
        answered += sum(bool(record.get("prediction")) for record in json.loads(file.read_bytes()).values())
    for file in run.glob("results/*/*.json"):
        right += round(json.loads(file.read_bytes()).get("accuracy", 0) / 100 * samples[file.stem])
    return Outcome(answered, right)
