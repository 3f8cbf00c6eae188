"""The language that OpenCompass and this system share: the same configuration for both, and the same result files."""

import json
import shutil
from pathlib import Path

from benchmarks.peers.peer import Job, Outcome
from benchmarks.question_sets import question_sets

_MODELS = """
from opencompass.models import OpenAISDK

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
    models = _MODELS.format(api=job.api, model=model, models=list(job.models), work_dir=work_dir)
    return question_sets(datasets) + models


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
