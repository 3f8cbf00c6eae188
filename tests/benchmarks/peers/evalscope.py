"""ModelScope's evalscope, with the settings that were found to be its fastest."""

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.peer import Command, Commands, Job, Outcome

SETTINGS = """\
Its library (`run_task`) with a benchmark of one's own that takes the last number and scores it by \
`exact_match`: the numeric metrics it brings use symbolic algebra and take many times longer. `eval_batch_size` \
as many as are to be in flight, `retries=10` with `retry_interval=1`, `collect_perf=False`, both models in one \
process, no line in the log per request; `use_cache` to go on and to repeat, `rerun_review` to score."""
_SCRIPT, _RESULTS, _BENCHMARK = "evaluate.py", "results", "compared"
_ENVIRON = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1"}
_EVALUATE = """\
import logging
import re
import sys

from evalscope.api.benchmark import BenchmarkMeta, DefaultDataAdapter
from evalscope.api.dataset import Sample
from evalscope.api.registry import register_benchmark
from evalscope.config import TaskConfig
from evalscope.run import run_task

logging.getLogger('httpx2').setLevel(logging.WARNING)


@register_benchmark(
    BenchmarkMeta(
        name='{benchmark}', pretty_name='', description='', dataset_id='', metric_list=['exact_match'], few_shot_num=0,
        eval_split='test', prompt_template='{{question}}',
    )
)
class Compared(DefaultDataAdapter):
    def load_from_disk(self, **kwargs):
        return super().load_from_disk(use_local_loader=True)

    def record_to_sample(self, record):
        return Sample(input=record['question'], target=record['answer'])

    def extract_answer(self, prediction, task_state):
        numbers = re.findall(r'-?\\d+', prediction)
        return numbers[-1] if numbers else ''


if __name__ == '__main__':
    again, rerun = 'again' in sys.argv, 'score' in sys.argv
    run_task([
        TaskConfig(
            model=name,
            eval_type='openai_api',
            api_url={api!r},
            api_key='EMPTY',
            datasets=['{benchmark}'],
            dataset_args={{'{benchmark}': {{'dataset_id': {data!r}, 'subset_list': {sets!r}}}}},
            generation_config={{'max_tokens': 512, 'temperature': 0.0, 'retries': 10, 'retry_interval': 1}},
            eval_batch_size={in_flight},
            collect_perf=False,
            work_dir=f'{results}/{{name}}',
            no_timestamp=True,
            use_cache=f'{results}/{{name}}' if again or rerun else None,
            rerun_review=rerun,
        )
        for name in {models!r}
    ])
"""


@dataclass(frozen=True)
class EvalScope:
    """Its library, in an environment of its own; one process asks the models one after another."""

    python: Path

    def write(self, job: Job) -> None:
        text = _EVALUATE.format(
            benchmark=_BENCHMARK,
            api=job.api,
            data=str(job.datasets[0].parent),
            sets=[path.stem for path in job.datasets],
            in_flight=job.in_flight,
            results=_RESULTS,
            models=job.models,
        )
        (job.folder / _SCRIPT).write_text(text)

    def run(self, job: Job) -> Commands:
        return self._evaluate(job)

    def again(self, job: Job) -> Commands:
        return self._evaluate(job, "again")

    def resume(self, job: Job) -> Commands:
        return self._evaluate(job, "again")

    def score(self, job: Job) -> Commands:
        return self._evaluate(job, "score")

    def outcome(self, job: Job) -> Outcome:
        answered = right = 0
        for model in job.models:
            results = job.folder / _RESULTS / model
            for file in results.glob("predictions/*/*.jsonl"):
                answers = map(json.loads, file.read_text().splitlines())
                answered += sum(bool(answer["model_output"]["choices"][0]["message"]["content"]) for answer in answers)
            for file in results.glob("reviews/*/*.jsonl"):
                reviews = map(json.loads, file.read_text().splitlines())
                right += sum(review["sample_score"]["score"]["value"]["exact_match"] == 1 for review in reviews)
        return Outcome(answered, right)

    def beside(self) -> int | None:
        return None

    def _evaluate(self, job: Job, *arguments: str) -> Commands:
        environ = {**_ENVIRON, "HF_HOME": str(job.folder / "hub"), "MODELSCOPE_CACHE": str(job.folder / "hub")}
        return [Command([str(self.python), _SCRIPT, *arguments], environ)]
