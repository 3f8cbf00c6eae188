"""Which of the waiting jobs are submitted next, so that no more run at once than may."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from blocks.clusters.jobs import Cluster, Job


@dataclass
class Submission:
    """Jobs that were handed over together."""

    unfinished: set[str]
    at_once: int
    """How many of them the scheduler runs at the same time, at most."""

    @property
    def taken(self) -> int:
        return min(self.at_once, len(self.unfinished))


def widened(submissions: Sequence[Submission], at_once: int) -> list[Submission]:
    """Gives the places that others have left to submissions that can use them; returns those that got some."""
    room = at_once - sum(submission.taken for submission in submissions)
    changed: list[Submission] = []
    for submission in submissions:
        more = min(room, len(submission.unfinished) - submission.at_once)
        if more > 0:
            submission.at_once += more
            room -= more
            changed.append(submission)
    return changed


def next_submission(
    jobs: Sequence[Job], submissions: Sequence[Submission], at_once: int, cluster: Cluster, *, waiting: int
) -> tuple[list[int], int]:
    """Indices of the jobs to hand over now, and how many of them may run at once; no indices if they have to wait.

    `waiting` is the number of submitted jobs that do not run yet.
    """
    room = at_once - sum(submission.taken for submission in submissions)
    if cluster.most_waiting is not None:
        room = min(room, cluster.most_waiting - waiting)
    if room < 1:
        return [], 0
    most = cluster.most_per_submission if len(jobs) > 1 else 1
    if most == 1:
        return [0], 1
    together = _alike(jobs)[:most]
    share = max(1, room * len(together) // len(jobs))
    return together, min(share, len(together))


def _alike(jobs: Sequence[Job]) -> list[int]:
    """The first job and those that can share a submission with it: same GPUs, no contradicting variables."""
    variables: dict[str, str] = {}
    chosen: list[int] = []
    for index, job in enumerate(jobs):
        if job.num_gpus == jobs[0].num_gpus and job.folder == jobs[0].folder and _agree(variables, job.environment):
            variables.update(job.environment)
            chosen.append(index)
    return chosen


def _agree(one: Mapping[str, str], other: Mapping[str, str]) -> bool:
    return all(one.get(name, value) == value for name, value in other.items())
