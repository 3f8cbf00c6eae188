"""Work on a cluster: what is submitted when, what is tried again, what is given up, what is found again."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from itertools import chain, count, repeat
from pathlib import Path
from unittest.mock import Mock

import pytest

from blocks.clusters.jobs import Job, JobPhase, JobReport, SchedulerSilent, SubmissionRefused
from flows.jobs import lifecycle as cluster_jobs
from flows.jobs.lifecycle import ClusterJobs
from flows.jobs.records import HandedOver, JobRecords

DONE, FAILED, RUNNING = (JobReport(phase) for phase in (JobPhase.DONE, JobPhase.FAILED, JobPhase.RUNNING))
RUNNER = "a.Runner"


@dataclass
class Cluster:
    """A scheduler that says of each attempt of each job what `decide` says."""

    decide: Callable[[str, int], JobReport]
    most_per_submission: int = 100
    most_waiting: int | None = None
    found_again: bool = True
    poll_seconds: float = 0.0
    refusals: list[SubmissionRefused] = field(default_factory=list)
    silences: int = 0
    submissions: list[tuple[list[str], int]] = field(default_factory=list)
    cancelled: list[str] = field(default_factory=list)
    allowed: list[tuple[int, int]] = field(default_factory=list)
    left: bool = False
    lost: dict[str, list[str]] = field(default_factory=dict)
    """Submissions whose process died before it heard of them."""
    most_at_once: int = 0
    _attempts: dict[str, int] = field(default_factory=dict)

    def submit(self, jobs: Sequence[Job], at_once: int) -> list[str]:
        if self.refusals:
            raise self.refusals.pop(0)
        for job in jobs:
            self._attempts[job.key] = self._attempts.get(job.key, 0) + 1
        self.submissions.append(([job.key for job in jobs], at_once))
        return [f"{job.key}-{self._attempts[job.key]}" for job in jobs]

    def accepted(self, submissions: Mapping[str, int]) -> dict[str, list[str]]:
        return {name: ids for name, ids in self.lost.items() if len(ids) == submissions.get(name)}

    def reports(self, jobs: Mapping[str, Job]) -> dict[str, JobReport]:
        if self.silences:
            self.silences -= 1
            raise SchedulerSilent("out to lunch")
        self.most_at_once = max(self.most_at_once, len(jobs))
        return {job_id: self.decide(job_id.split("-")[0], int(job_id.split("-")[1])) for job_id in jobs}

    def cancel(self, ids: Collection[str]) -> None:
        self.cancelled += ids

    def allow(self, ids: Collection[str], at_once: int) -> None:
        self.allowed.append((len(ids), at_once))

    def explain(self, job_id: str, job: Job, report: JobReport) -> str:
        return f"job {job_id} {report.phase}; the end of its log:\nsome line\nlast words"

    def close(self) -> None:
        self.left = True


@dataclass
class Work:
    """Work whose results are there from the `good`th attempt on."""

    key: str
    good: int = 1
    num_gpus: int = 0
    environment: dict[str, str] = field(default_factory=dict)
    error: Exception | None = None
    signs: Iterator[int] = field(default_factory=lambda: iter(()))
    begun: int = 0

    def begin(self) -> Job:
        self.begun += 1
        return self.again()

    def again(self) -> Job:
        log = Path("/dev/null")
        return Job(self.key, self.key, "infer", ("true",), Path("/"), log, self.num_gpus, self.environment)

    def follow(self) -> int | None:
        return next(self.signs, None)

    def result(self) -> str | None:
        if self.error is not None:
            raise self.error
        return f"result of {self.key}" if self.begun >= self.good else None

    def failed(self, reason: str) -> Exception:
        return RuntimeError(reason)

    def clean(self) -> None: ...


@dataclass
class Room:
    """What a test starts jobs with."""

    folder: Path
    stop: threading.Event = field(default_factory=threading.Event)

    @property
    def records(self) -> JobRecords:
        return JobRecords(self.folder / "jobs.jsonl", RUNNER)

    def run(
        self, cluster: Cluster, *work: Work, at_once: int = 8, retry: int = 1, silence: float | None = None
    ) -> "list[Future[str]]":
        options = {"at_once": at_once, "retry": retry, "stop": self.stop, "silence": silence}
        with ClusterJobs(cluster, self.records, **options) as jobs:
            ended = [jobs.submit(item).ended for item in work]
            for future in ended:
                future.exception(timeout=20)
        return ended


@pytest.fixture
def room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    monkeypatch.setattr(cluster_jobs, "_TICK_SECONDS", 0.005)
    monkeypatch.setattr(cluster_jobs, "_SETTLE_SECONDS", 0.02)
    monkeypatch.setattr(cluster_jobs, "_SECONDS_UNTIL_NEXT_TRY", 0.01)
    return Room(tmp_path)


def done(_key: str, _attempt: int) -> JobReport:
    return DONE


def test_work_that_comes_together_is_one_submission(room: Room):
    cluster = Cluster(done)
    ended = room.run(cluster, *(Work(f"w{n}") for n in range(20)), at_once=3)
    assert [future.result() for future in ended] == [f"result of w{n}" for n in range(20)]
    assert cluster.submissions == [([f"w{n}" for n in range(20)], 3)]
    assert cluster.left and not room.records.open_jobs()


def test_unlike_work_shares_the_places(room: Room):
    cluster = Cluster(done)
    unlike = [*(Work(f"c{n}") for n in range(6)), *(Work(f"g{n}", num_gpus=2) for n in range(3))]
    contradicting = [Work("x", environment={"KEY": "1"}), Work("y", environment={"KEY": "2"})]
    room.run(cluster, *unlike, *contradicting, at_once=8)
    groups = [set(keys) for keys, _ in cluster.submissions]
    assert all({key[0] for key in group} in ({"c", "x"}, {"c"}, {"g"}, {"y"}) for group in groups)
    assert sum(at_once for _, at_once in cluster.submissions) <= 8


def test_places_that_one_array_leaves_are_given_to_another(room: Room):
    asked: list[str] = []

    def decide(key: str, _attempt: int) -> JobReport:
        asked.append(key)
        return DONE if key.startswith("c") or asked.count(key) > 3 else RUNNING

    cluster = Cluster(decide)
    room.run(cluster, *(Work(f"c{n}") for n in range(6)), *(Work(f"g{n}", num_gpus=2) for n in range(6)), at_once=4)
    assert [at_once for _, at_once in cluster.submissions] == [2, 2] and cluster.allowed == [(6, 4)]


def test_without_arrays_no_more_are_submitted_than_may_run(room: Room):
    cluster = Cluster(done, most_per_submission=1)
    room.run(cluster, *(Work(f"w{n}") for n in range(9)), at_once=4)
    assert len(cluster.submissions) == 9 and cluster.most_at_once == 4


def test_one_after_the_other_waits_in_the_queue(room: Room):
    seen: list[str] = []

    def decide(key: str, _attempt: int) -> JobReport:
        seen.append(key)
        return {1: JobReport(JobPhase.WAITING), 2: RUNNING}.get(seen.count(key), DONE)

    cluster = Cluster(decide, most_per_submission=1, most_waiting=1)
    room.run(cluster, Work("a"), Work("b"), at_once=5)
    assert seen.index("b") > [place for place, key in enumerate(seen) if key == "a"][1]


def test_a_job_that_fails_is_submitted_again_by_itself(room: Room):
    cluster = Cluster(lambda key, attempt: FAILED if (key, attempt) == ("b", 1) else DONE)
    ended = room.run(cluster, Work("a"), Work("b", good=2), Work("c"))
    assert ended[1].result() == "result of b"
    assert cluster.submissions == [(["a", "b", "c"], 3), (["b"], 1)]


def test_after_the_last_attempt_the_reason_is_told(room: Room):
    cluster = Cluster(lambda key, _: FAILED)
    [ended] = room.run(cluster, Work("a", good=9), retry=2)
    assert str(ended.exception()) == "job a-3 failed; the end of its log: last words"


def test_what_the_job_says_of_itself_goes_before_what_its_scheduler_says(room: Room):
    cluster = Cluster(lambda key, _: FAILED)
    [ended] = room.run(cluster, Work("a", error=ValueError("no key is left")), retry=5)
    assert str(ended.exception()) == "no key is left" and len(cluster.submissions) == 1


def test_a_job_without_results_has_failed_however_it_ended(room: Room):
    cluster = Cluster(done)
    [ended] = room.run(cluster, Work("a", good=2), retry=1)
    assert ended.result() == "result of a" and len(cluster.submissions) == 2
    [ended] = room.run(cluster, Work("b", good=9), retry=0)
    assert "job b-1 done" in str(ended.exception())


def test_a_lost_job_is_submitted_again(room: Room):
    cluster = Cluster(lambda key, attempt: JobReport(JobPhase.UNKNOWN) if attempt == 1 else DONE)
    [ended] = room.run(cluster, Work("a", good=2))
    assert ended.result() == "result of a"


def test_a_job_that_somebody_cancelled_is_not(room: Room):
    cluster = Cluster(lambda key, _: JobReport(JobPhase.CANCELLED))
    [ended] = room.run(cluster, Work("a", good=2), retry=5)
    assert ended.exception() is not None and len(cluster.submissions) == 1


def test_refusals(room: Room):
    busy = SubmissionRefused("too many jobs", temporary=True)
    cluster = Cluster(done, refusals=[busy, busy])
    assert room.run(cluster, Work("a"))[0].result() == "result of a"
    cluster = Cluster(done, refusals=[SubmissionRefused("no such partition")])
    assert "no such partition" in str(room.run(cluster, Work("a"))[0].exception())


def test_a_scheduler_that_is_silent_for_a_while_is_asked_again(room: Room):
    assert room.run(Cluster(done, silences=5), Work("a"))[0].result() == "result of a"


def test_jobs_of_a_process_that_was_killed_are_found_again(room: Room):
    room.records.submitted(HandedOver("first", (("a", 2), ("gone", 1))), ["a-7", "gone-1"])
    with (room.folder / "jobs.jsonl").open("a") as file:
        file.write('{"key": "torn')
    cluster = Cluster(lambda key, attempt: DONE if attempt in (1, 7) else FAILED)
    ended = room.run(cluster, Work("a", good=0), Work("b"))
    assert [future.result() for future in ended] == ["result of a", "result of b"]
    assert cluster.submissions == [(["b"], 1)]
    assert cluster.cancelled == ["gone-1"] and not room.records.open_jobs()


def test_jobs_that_were_accepted_while_their_process_died_are_not_submitted_again(room: Room):
    room.records.submitting(HandedOver("heard", (("a", 1), ("gone", 1))))
    room.records.submitting(HandedOver("never-arrived", (("b", 1),)))
    cluster = Cluster(done, lost={"heard": ["a-7", "gone-7"]})
    ended = room.run(cluster, Work("a", good=0), Work("b"))
    assert [future.result() for future in ended] == ["result of a", "result of b"]
    assert cluster.submissions == [(["b"], 1)]
    assert cluster.cancelled == ["gone-7"]
    assert not room.records.open_jobs() and not room.records.unanswered()


def test_what_was_submitted_and_cannot_be_noted_is_cancelled(room: Room, caplog: pytest.LogCaptureFixture):
    records = room.records
    records.submitted = Mock(side_effect=OSError("No space left on device"))
    cluster = Cluster(lambda *_: RUNNING)
    with ClusterJobs(cluster, records, at_once=1, retry=0, stop=room.stop) as jobs:
        assert "No space left" in str(jobs.submit(Work("a", good=9)).ended.exception(timeout=20))
    assert cluster.cancelled == ["a-1"]
    assert "jobs are no longer followed" in caplog.text and "Traceback" not in caplog.text


def test_an_interrupt_cancels_what_was_submitted(room: Room):
    def decide(_key: str, _attempt: int) -> JobReport:
        room.stop.set()
        return RUNNING

    cluster = Cluster(decide)
    ended = room.run(cluster, Work("a", good=9), Work("b", good=9))
    assert {str(future.exception()) for future in ended} == {"interrupted"}
    assert sorted(cluster.cancelled) == ["a-1", "b-1"] and not room.records.open_jobs()


@pytest.mark.parametrize("found_again", [True, False])
def test_jobs_are_left_running_for_those_who_go_on(room: Room, found_again: bool):
    cluster = Cluster(lambda key, _: RUNNING, found_again=found_again)
    with ClusterJobs(cluster, room.records, at_once=1, retry=0, stop=room.stop) as jobs:
        jobs.submit(Work("a", good=9)).started.result(timeout=20)
    assert cluster.cancelled == ([] if found_again else ["a-1"])
    assert len(room.records.open_jobs()) == found_again
    assert cluster.left == (not found_again)


def test_a_job_without_a_sign_of_life_is_cancelled_and_submitted_again(room: Room) -> None:
    cluster = Cluster(lambda key, attempt: RUNNING if attempt == 1 else DONE)
    work = Work("a", good=2, signs=chain([1, 2], repeat(3)))
    assert room.run(cluster, work, silence=0.05)[0].result() == "result of a"
    assert cluster.cancelled == ["a-1"] and cluster.submissions == [(["a"], 1), (["a"], 1)]


def test_a_job_that_is_heard_of_may_take_its_time(room: Room) -> None:
    looks = count()
    cluster = Cluster(lambda key, attempt: RUNNING if next(looks) < 40 else DONE)
    assert room.run(cluster, Work("a", signs=count()), silence=0.05)[0].result() == "result of a"
    assert cluster.cancelled == []
