"""The UK AI Security Institute's inspect-ai, with the settings that were found to be its fastest."""

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

from benchmarks.peers.peer import Command, Commands, Job, Outcome

SETTINGS = """\
`inspect eval-set`, which can repeat and resume, with `--max-connections` and `--max-samples` as many as are to \
be in flight, ten tasks at once, logs in its own format, and all that shows a run while it goes switched off \
(`--display none`, `--no-log-realtime`, `--no-score-display`, `--ctl-server false`); its scorer \
`match(numeric=True)`; `inspect score` for stored answers."""
_TASKS, _LOGS = "tasks.py", "logs"
_HEAD = """\
from inspect_ai import Task, task
from inspect_ai.dataset import FieldSpec, json_dataset
from inspect_ai.scorer import match
from inspect_ai.solver import generate

FIELDS = FieldSpec(input='question', target='answer')
"""
_TASK = """

@task
def {name}():
    return Task(dataset=json_dataset({path!r}, FIELDS), solver=generate(), scorer=match(numeric=True))
"""
_OUTCOME = """\
import json
from inspect_ai.log import list_eval_logs, read_eval_log, read_eval_log_samples

newest = {}
for info in list_eval_logs('logs', descending=False):
    eval = read_eval_log(info, header_only=True).eval
    newest[eval.model, eval.task] = info
answered = right = 0
for info in newest.values():
    for sample in read_eval_log_samples(info, all_samples_required=False):
        answered += bool(sample.output.completion)
        right += any(score.value == 'C' for score in (sample.scores or {}).values())
print(json.dumps([answered, right]))
"""


@dataclass(frozen=True)
class InspectAI:
    """Its command line, in an environment of its own."""

    python: Path

    def write(self, job: Job) -> None:
        tasks = (_TASK.format(name=path.stem, path=str(path)) for path in job.datasets)
        (job.folder / _TASKS).write_text(_HEAD + "".join(tasks))

    def run(self, job: Job) -> Commands:
        models = ",".join(f"openai-api/mock/{model}" for model in job.models)
        in_flight = str(job.in_flight)
        arguments = [
            "eval-set", _TASKS, "--log-dir", _LOGS, "--model", models, "--max-tokens", "512", "--temperature", "0",
            "--max-connections", in_flight, "--max-samples", in_flight, "--max-tasks", "10",
            "--display", "none", "--no-log-realtime", "--no-score-display", "--ctl-server", "false",
        ]  # fmt: skip
        return [self._inspect(job, *arguments)]

    def again(self, job: Job) -> Commands:
        return self.run(job)

    def resume(self, job: Job) -> Commands:
        return self.run(job)

    def score(self, job: Job) -> Commands:
        logs = sorted(str(path) for path in (job.folder / _LOGS).glob("*.eval"))
        return [
            self._inspect(job, "score", log, "--action", "overwrite", "--overwrite", "--display", "none")
            for log in logs
        ]

    def outcome(self, job: Job) -> Outcome:
        """Its logs are compressed by a method that this Python's archives do not know, so it reads them itself."""
        command = [str(self.python), "-c", _OUTCOME]
        told = subprocess.run(command, cwd=job.folder, capture_output=True, text=True, check=True).stdout
        return Outcome(*json.loads(told))

    def beside(self) -> int | None:
        return None

    def _inspect(self, job: Job, *arguments: str) -> Command:
        home = str(job.folder / "home")
        environ = {
            "MOCK_API_KEY": "EMPTY",
            "MOCK_BASE_URL": job.api,
            "XDG_DATA_HOME": home,
            "XDG_CACHE_HOME": home,
        }
        return Command([str(self.python), str(self.python.with_name("inspect")), *arguments], environ)
