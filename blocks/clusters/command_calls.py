"""Calls of a scheduler's command line tool."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from blocks.clusters.jobs import SchedulerSilent

TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Answer:
    """What a command printed."""

    status: int
    output: str
    errors: str

    @property
    def words(self) -> str:
        """What it says about a failure, in at most five lines."""
        lines = [line.strip() for line in (self.errors + "\n" + self.output).splitlines() if line.strip()]
        return "; ".join(lines[-5:]) or f"exit status {self.status}"


def ask(
    command: Sequence[str], timeout: float = TIMEOUT_S, *, text: str = "", env: Mapping[str, str] | None = None
) -> Answer:
    """Runs a command to its end with `text` as its input; SchedulerSilent if it cannot be started or takes longer.

    A Ctrl-C in the terminal does not reach it: a submission is never cut off in the middle.
    """
    try:
        done = subprocess.run(
            command,
            capture_output=True,
            input=text.encode(),
            env=env,
            timeout=timeout,
            start_new_session=True,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise SchedulerSilent(f"{' '.join(command[:3])} did not answer within {timeout:g} s") from None
    except OSError as error:
        raise SchedulerSilent(f"{command[0]}: {error.strerror or error}") from error
    return Answer(done.returncode, done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace"))
