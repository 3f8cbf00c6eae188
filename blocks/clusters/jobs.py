"""Jobs, and what every scheduler that runs them can do: each cluster's runner gives one of these."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Literal, Protocol

Stage = Literal["infer", "eval", "flow"]
"""`flow`: a whole flow run of Prefect, which a worker submits."""


class JobPhase(StrEnum):
    """How far a job is."""

    WAITING = "waiting"
    """Accepted, or in the queue again after its node failed or it was preempted."""
    RUNNING = "running"
    DONE = "done"
    """Ended with exit status 0; whether its files are there is for the run to see."""
    FAILED = "failed"
    CANCELLED = "cancelled"
    """By its user or an operator: it is not submitted again."""
    UNKNOWN = "unknown"
    """The scheduler does not know the job (any more)."""


@dataclass(frozen=True)
class Job:
    """One command for one shard or scoring batch."""

    key: str
    """Digest that names the work: letters and digits, the same for every submission."""
    name: str
    """As OpenCompass prints it, e.g. `OpenICLInfer[gpt-x/demo_gsm8k]`; of any length."""
    stage: Stage
    command: tuple[str, ...]
    """Without secrets. The first word is this process's interpreter; an environment of the cluster's may replace it."""
    folder: Path
    """Where the command runs: the user's working folder, because relative data paths are meant from there."""
    log: Path
    """The command's output is appended to this file on the shared disk."""
    num_gpus: int = 0
    environment: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    """Variables that the command needs beside its machine's own, secrets among them: never on disk in the run folder,
    on a command line, or in a log."""
    submission: str = ""
    """Names the call of `submit` that hands it over: letters and digits, those of no other submission of anybody's."""


@dataclass(frozen=True)
class JobReport:
    """What the scheduler says of a job."""

    phase: JobPhase
    reason: str = ""
    """Its own words for an end that is not DONE, or for why the job waits, e.g. `OUT_OF_MEMORY`."""


class SubmissionRefused(Exception):
    """The scheduler does not take the jobs; the text says why, in its words. None of them was submitted."""

    def __init__(self, reason: str, *, temporary: bool = False) -> None:
        super().__init__(reason)
        self.temporary = temporary
        """Whether it may take them later, e.g. once others have ended."""


class SchedulerSilent(Exception):
    """The scheduler could not be asked; it may answer later. The text says what happened."""


class Cluster(Protocol):
    """A scheduler, on behalf of one run and stage. Its methods are called from one thread."""

    @property
    def most_per_submission(self) -> int:
        """Jobs that one call of `submit` may hand over; 1 where the scheduler has no arrays."""
        ...

    @property
    def most_waiting(self) -> int | None:
        """Jobs that may wait in the queue at once; None without such a limit."""
        ...

    @property
    def found_again(self) -> bool:
        """Whether another process can ask for the jobs by their ids, once this one has ended."""
        ...

    @property
    def poll_seconds(self) -> float:
        """Between two calls of `reports`."""
        ...

    def submit(self, jobs: Sequence[Job], at_once: int) -> list[str]:
        """Hands over jobs of equal `num_gpus`, of which `at_once` may run at the same time; returns an id for each.

        Raises SubmissionRefused.
        """
        ...

    def accepted(self, submissions: Mapping[str, int]) -> dict[str, list[str]]:
        """The ids that `submit` would have returned, had its process not died; SchedulerSilent.

        `submissions` are names of submissions and how many jobs each has; what was not accepted, or cannot be asked
        for, is left out.
        """
        ...

    def allow(self, ids: Collection[str], at_once: int) -> None:
        """Lets so many of the jobs of one submission run at the same time; only where submissions hold several."""
        ...

    def reports(self, jobs: Mapping[str, Job]) -> dict[str, JobReport]:
        """The state of every job, by id, with as few calls of the scheduler as it allows; SchedulerSilent.

        Where jobs cannot write to the shared disk themselves, their output is brought to `Job.log` here.
        """
        ...

    def cancel(self, ids: Collection[str]) -> None:
        """Ends the jobs, waiting or running, with all their children; ended and unknown ones do no harm.

        Returns within about 3 seconds, whether or not the scheduler is done by then.
        """
        ...

    def explain(self, job_id: str, job: Job, report: JobReport) -> str:
        """Why a job did not do its work, in words, with the last lines of its log, for the person who reads the run."""
        ...

    def close(self) -> None:
        """No job of the run is left: what was made for them, such as a file with secrets, is removed."""
        ...


class NobodyToAsk:
    """Of schedulers that cannot tell which submissions they accepted, or whose jobs end with the run."""

    def accepted(self, submissions: Mapping[str, int]) -> dict[str, list[str]]:
        """See `Cluster`."""
        del submissions
        return {}


class ClusterRunner(Protocol):
    """A runner whose tasks are jobs of a scheduler."""

    @property
    def retry(self) -> int:
        """Resubmissions of a failed job."""
        ...

    def cluster(self, run_folder: Path) -> Cluster:
        """The scheduler for the jobs of the run in that folder, which is on a disk that its machines share."""
        ...


def last_lines(log: Path, count: int = 15) -> str:
    """The end of a log, for messages; empty if there is none."""
    if not log.is_file():
        return ""
    with log.open("rb") as file:
        file.seek(max(0, log.stat().st_size - 32_768))
        return "\n".join(file.read().decode("utf-8", "replace").splitlines()[-count:])
