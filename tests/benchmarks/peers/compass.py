"""This system, beside a Prefect server that is running, and without one."""

import sys
from dataclasses import dataclass

from benchmarks.bench import Bench
from benchmarks.peers.opencompass_config import config_text, forget_scores, newest_run, read_outcome
from benchmarks.peers.peer import Command, Commands, Job, Outcome

_CONFIG = "compared.py"
_WORK_DIR = "runs"
SETTINGS = (
    "`OpenAISDK` with `batch_size` as many as are to be in flight, `retry=10`; a local Prefect server is running."
)
SETTINGS_INLINE = "The same configuration, without Prefect."


@dataclass(frozen=True)
class Compass:
    """The command line of this repository."""

    bench: Bench
    inline: bool

    def write(self, job: Job) -> None:
        text = config_text(job, f"batch_size={job.in_flight}, retry=10", _WORK_DIR)
        (job.folder / _CONFIG).write_text(text)

    def run(self, job: Job) -> Commands:
        return self._compass()

    def again(self, job: Job) -> Commands:
        return self._compass("-r")

    def resume(self, job: Job) -> Commands:
        return self._compass("-r")

    def score(self, job: Job) -> Commands:
        forget_scores(newest_run(job, _WORK_DIR))
        return self._compass("-r", "-m", "eval")

    def outcome(self, job: Job) -> Outcome:
        return read_outcome(newest_run(job, _WORK_DIR), job)

    def beside(self) -> int | None:
        return None if self.inline else self.bench.server_process

    def _compass(self, *arguments: str) -> Commands:
        engine = ["--inline"] if self.inline else []
        command = [sys.executable, "-P", "-m", "flows.eval", _CONFIG, *engine, *arguments]
        return [Command(command, self.bench.environ)]
