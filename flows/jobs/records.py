"""Which jobs a run has submitted, on disk: a run that goes on finds those that still run."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasks.spec.storage.json_text import parse_json


@dataclass(frozen=True)
class SubmittedJob:
    """A job that may still be there."""

    key: str
    """Of its work."""
    id: str
    attempt: int
    runner: str
    """Dotted path of the runner that submitted it: only that one understands its id."""


@dataclass(frozen=True)
class HandedOver:
    """Jobs that were handed over together."""

    name: str
    jobs: tuple[tuple[str, int], ...]
    """Of each, its work's key, and the number of its attempt."""


class JobRecords:
    """The jobs of one stage, a line per event; a torn last line loses that event alone."""

    def __init__(self, path: Path, runner: str) -> None:
        self._path = path
        self.runner = runner
        path.parent.mkdir(parents=True, exist_ok=True)

    def open_jobs(self) -> list[SubmittedJob]:
        """Jobs whose end was not seen."""
        jobs: dict[str, SubmittedJob] = {}
        for event in self._events():
            if "id" not in event:
                continue
            if event.get("ended"):
                jobs.pop(event["id"], None)
            else:
                jobs[event["id"]] = SubmittedJob(event["key"], event["id"], event["attempt"], event["runner"])
        return list(jobs.values())

    def unanswered(self) -> list[HandedOver]:
        """Submissions of this runner's of which nobody noted what the scheduler said: the process died meanwhile."""
        found: dict[str, HandedOver] = {}
        for event in self._events():
            if "submitting" in event and event["runner"] == self.runner:
                jobs = tuple((key, attempt) for key, attempt in event["jobs"])
                found[event["submitting"]] = HandedOver(event["submitting"], jobs)
            else:
                found.pop(event.get("submission", ""), None)
        return list(found.values())

    def submitting(self, submission: HandedOver) -> None:
        """Notes that the scheduler is being asked."""
        self._append([{"submitting": submission.name, "jobs": submission.jobs, "runner": self.runner}])

    def submitted(self, submission: HandedOver, ids: Iterable[str]) -> None:
        """Notes what the scheduler said: the ids of the jobs, or none if it refused them."""
        answer = {"submission": submission.name, "runner": self.runner}
        jobs = [
            {"key": key, "id": job_id, "attempt": attempt, **answer}
            for (key, attempt), job_id in zip(submission.jobs, ids, strict=False)
        ]
        self._append(jobs or [answer])

    def ended(self, ids: Iterable[str], how: str) -> None:
        """Notes that jobs have ended, or were told to."""
        self._append({"id": job_id, "ended": how} for job_id in ids)

    def _append(self, events: Iterable[dict[str, Any]]) -> None:
        text = "".join(f"{json.dumps(event)}\n" for event in events)
        with self._path.open("a+b") as file:
            if file.tell() and not _ends_a_line(file):
                text = f"\n{text}"
            file.write(text.encode())

    def _events(self) -> Iterator[dict[str, Any]]:
        if not self._path.is_file():
            return
        for line in self._path.read_bytes().splitlines():
            try:
                event = parse_json(line)
            except ValueError:
                continue
            if isinstance(event, dict):
                yield event


def _ends_a_line(file: Any) -> bool:
    file.seek(-1, 2)
    return file.read(1) == b"\n"
