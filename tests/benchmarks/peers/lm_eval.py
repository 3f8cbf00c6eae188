"""EleutherAI's lm-evaluation-harness, with the settings that were found to be its fastest."""

import json
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.peer import Command, Commands, Job, Outcome

SETTINGS = """\
Its library (`simple_evaluate`), because its command line first indexes the thousands of tasks that it brings; \
here `include_defaults=False` leaves them out. `local-chat-completions` with `num_concurrent` as many as are to \
be in flight and `max_retries=10`; both models in one process; its filter `regex` and its metric `exact_match`. \
`use_cache` is on in every row: it is how lm-eval goes on, repeats and scores again without asking again; it costs \
about an eighth of the CPU time of 1,319 samples."""
_SCRIPT, _RESULTS = "evaluate.py", "results"
_ENVIRON = {"OPENAI_API_KEY": "EMPTY", "HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "LMEVAL_LOG_LEVEL": "WARNING"}
_TASK = """\
task: {name}
dataset_path: json
dataset_kwargs: {{data_files: {{test: '{path}'}}}}
test_split: test
output_type: generate_until
doc_to_text: '{{{{question}}}}'
doc_to_target: '{{{{answer}}}}'
generation_kwargs: {{until: [], max_gen_toks: 512}}
filter_list:
  - name: last
    filter:
      - {{function: regex, regex_pattern: '(-?\\d+)', group_select: -1}}
      - {{function: take_first}}
metric_list: [{{metric: exact_match, aggregation: mean, higher_is_better: true}}]
"""
_EVALUATE = """\
from lm_eval import simple_evaluate
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager
from lm_eval.utils import make_table

if __name__ == '__main__':
    for name in {models!r}:
        tracker = EvaluationTracker(output_path={results!r})
        found = simple_evaluate(
            model='local-chat-completions',
            model_args=dict(
                model=name, base_url={url!r}, num_concurrent={in_flight}, max_retries=10, tokenized_requests=False
            ),
            tasks={tasks!r},
            task_manager=TaskManager(include_path='tasks', include_defaults=False),
            use_cache=f'cache/{{name}}',
            apply_chat_template=True,
            evaluation_tracker=tracker,
        )
        samples = found.pop('samples')
        tracker.save_results_aggregated(results=found, samples=samples)
        for task in found['configs']:
            tracker.save_results_samples(task_name=task, samples=samples[task])
        print(make_table(found))
"""


@dataclass(frozen=True)
class LMEval:
    """Its library, in an environment of its own; one process asks the models one after another."""

    python: Path

    def write(self, job: Job) -> None:
        tasks = job.folder / "tasks"
        tasks.mkdir()
        for path in job.datasets:
            (tasks / f"{path.stem}.yaml").write_text(_TASK.format(name=path.stem, path=path))
        names = [path.stem for path in job.datasets]
        text = _EVALUATE.format(
            models=job.models, results=_RESULTS, url=f"{job.api}/chat/completions", in_flight=job.in_flight, tasks=names
        )
        (job.folder / _SCRIPT).write_text(text)

    def run(self, job: Job) -> Commands:
        return [Command([str(self.python), _SCRIPT], {**_ENVIRON, "HF_HOME": str(job.folder / "hub")})]

    def again(self, job: Job) -> Commands:
        return self.run(job)

    def resume(self, job: Job) -> Commands:
        return self.run(job)

    def score(self, job: Job) -> Commands:
        """It scores what the cache holds: there is no other way to score stored answers."""
        return self.run(job)

    def outcome(self, job: Job) -> Outcome:
        answered = right = 0
        for model in job.models:
            for path in job.datasets:
                found = max((job.folder / _RESULTS / model).glob(f"samples_{path.stem}_*.jsonl"), default=None)
                for line in found.read_text().splitlines() if found else ():
                    sample = json.loads(line)
                    answered += bool(sample["resps"][0][0])
                    right += sample["exact_match"] == 1
        return Outcome(answered, right)

    def beside(self) -> int | None:
        return None
