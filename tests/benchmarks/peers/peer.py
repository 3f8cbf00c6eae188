"""What a system that is measured beside the others is: it is given a job and says which commands do it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple, Protocol


@dataclass(frozen=True)
class Job:
    """One evaluation, the same for every system."""

    folder: Path
    """For this job of this system alone: configurations, logs and results go here."""
    api: str
    """Base address, ending in `/v1`; the key is `EMPTY`."""
    models: tuple[str, ...]
    """Names to be sent as `model`."""
    datasets: tuple[Path, ...]
    """JSON lines with `question`, the whole prompt as one message of the user, and `answer`, a whole number."""
    in_flight: int
    """Requests at once, of each model."""


@dataclass(frozen=True)
class Command:
    """One process to be measured; it runs in the job's folder."""

    arguments: Sequence[str]
    environ: Mapping[str, str] = field(default_factory=dict[str, str])
    """Beside PATH, HOME and LANG, the only ones it gets."""


Commands = Sequence[Command]
"""Run one after another, and counted together."""


class Unable(NamedTuple):
    """The system has nothing for this; the table shows why."""

    reason: str
    """A few words, as `no resume`."""


class Outcome(NamedTuple):
    """What a run's result files say, summed over models and datasets."""

    answered: int
    """Samples that have an answer of the model."""
    right: int
    """Samples that were scored as right: those whose last number is the expected one."""


class Peer(Protocol):
    """A system; it has been installed, and its bytecode compiled."""

    def write(self, job: Job) -> None:
        """Puts what the commands need into the job's folder; not measured."""
        ...

    def run(self, job: Job) -> Commands:
        """Asks and scores everything."""
        ...

    def again(self, job: Job) -> Commands | Unable:
        """The same once more after `run` has ended: nothing needs to be asked."""
        ...

    def resume(self, job: Job) -> Commands | Unable:
        """Goes on after `run` was killed."""
        ...

    def score(self, job: Job) -> Commands | Unable:
        """Scores the answers that `run` stored, and asks nothing; scores that would be taken over are removed first."""
        ...

    def outcome(self, job: Job) -> Outcome:
        """Reads the results of the newest run of the job."""
        ...

    def beside(self) -> int | None:
        """Process id of a service of its own that works beside the commands, whose share is told beside theirs."""
        ...
