"""A shard asks exactly what is missing, and writes down what it gets."""

import json
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.fake_backend import FakeBackend, add
from support.specs import dataset_spec, model_spec, shard_of, sums, write_rows

from tasks.data.loading import DatasetCache
from tasks.data.rows import plan_rows
from tasks.infer.collect import CollectError, collect
from tasks.infer.ledger.ledger import Ledger, LedgerError
from tasks.infer.ledger.records import RequestRecord
from tasks.infer.part_manifests import PartManifest
from tasks.infer.predictions_record import Collected
from tasks.infer.progress import Progress
from tasks.infer.session import INTERRUPTED, InferSession, build_inferencer
from tasks.infer.shard_run import ShardFailed
from tasks.models.interface import Completion
from tasks.spec.shard import Shard
from tasks.spec.specs import DatasetSpec
from tasks.spec.status import Status
from tasks.spec.storage.run_folder import Pair, RunFolder, read_json

Answer = Callable[[str], Completion | str]


class Bench:
    """A run folder, and sessions on it one after the other, as after a restart."""

    def __init__(self, root: Path) -> None:
        self.folder = RunFolder(root / "run")
        self.model = model_spec()
        self.backend = FakeBackend(add)
        self.session = self._open()

    def restart(self, answer: Answer = add, delay: float = 0.0) -> "Bench":
        self.session.close()
        self.backend = FakeBackend(answer, delay=delay)
        self.session = self._open()
        return self

    def _open(self) -> InferSession:
        session = InferSession(self.folder, data=DatasetCache(), progress=Progress())
        session.models._backends[self.model.abbr] = self.backend
        return session

    def shard(self, *datasets: DatasetSpec, **options: Any) -> Shard:
        return shard_of(self.folder.root, self.model, *datasets, **options)

    def run(self, *datasets: DatasetSpec, **options: Any) -> list[PartManifest]:
        return self.session.run(self.shard(*datasets, **options))

    def collect(self, dataset: DatasetSpec, manifests: list[PartManifest], limit: int | None = None) -> Collected:
        data = DatasetCache().load(dataset)
        pair = Pair(self.model.abbr, dataset.abbr)
        return collect(
            self.folder,
            pair,
            dataset,
            data=data,
            rows=plan_rows(dataset, data, limit),
            manifests=manifests,
            inferencer=build_inferencer(dataset),
            open_ledger=lambda: self.session.ledger(pair),
        )

    def predictions(self, dataset: DatasetSpec) -> dict[str, dict[str, object]]:
        return read_json(self.folder.predictions(Pair(self.model.abbr, dataset.abbr)))


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    bench = Bench(tmp_path)
    yield bench
    bench.session.close()


@pytest.fixture
def ten(tmp_path: Path) -> DatasetSpec:
    return dataset_spec(write_rows(tmp_path / "ten.jsonl", sums(10)))


def failing_on(*questions: str, fatal: bool = False) -> Answer:
    def answer(text: str) -> Completion | str:
        if text in questions:
            return Completion(Status.ERROR, error="no answer from the service", fatal=fatal)
        return add(text)

    return answer


def test_predictions_hold_prompt_answer_gold_and_outcome_of_every_row(bench: Bench, ten: DatasetSpec):
    manifests = bench.run(ten)
    collected = bench.collect(ten, manifests)
    records = bench.predictions(ten)
    assert list(records) == [str(n) for n in range(10)]
    sample = records["3"]
    assert sample["origin_prompt"] == [{"role": "HUMAN", "prompt": "What is 3 + 4?"}]
    assert (sample["prediction"], sample["gold"], sample["status"], sample["finish_reason"]) == ("7", "7", "ok", "stop")
    assert sample["usage"] == {"prompt_tokens": 3, "completion_tokens": 2} and sample["attempts"] == 1
    assert collected.statuses == {"ok": 10} and collected.errors == 0


def test_as_many_requests_as_allowed_are_in_flight(bench: Bench, ten: DatasetSpec):
    bench.restart(delay=0.01).run(ten, in_flight=4)
    assert bench.backend.peak == 4


def test_a_finished_shard_asks_nothing_again(bench: Bench, ten: DatasetSpec):
    bench.run(ten)
    assert bench.restart().run(ten) and bench.backend.asked == []
    snapshot = bench.session.progress.snapshot()
    assert (snapshot.counters.done, snapshot.counters.reused) == (10, 10)


def test_other_cuts_and_a_larger_limit_ask_only_what_is_new(bench: Bench, ten: DatasetSpec):
    bench.run(ten, limit=4)
    first = bench.restart().run(ten, rows=(0, 7))
    assert sorted(bench.backend.asked) == [f"What is {n} + {n + 1}?" for n in (4, 5, 6)]
    second = bench.restart().run(ten, rows=(7, 10))
    assert len(bench.backend.asked) == 3
    assert bench.collect(ten, first + second).samples == 10


def test_predictions_that_are_up_to_date_need_no_ledger(
    bench: Bench, ten: DatasetSpec, monkeypatch: pytest.MonkeyPatch
):
    manifests = bench.run(ten)
    collected = bench.collect(ten, manifests)
    monkeypatch.setattr(bench.session, "ledger", lambda pair: pytest.fail(f"the ledger of {pair} is read"))
    assert bench.collect(ten, manifests) == collected


def test_a_lower_limit_loses_nothing(bench: Bench, ten: DatasetSpec):
    bench.collect(ten, bench.run(ten))
    bench.restart()
    assert bench.collect(ten, bench.run(ten, limit=2), limit=2).samples == 2
    assert bench.collect(ten, bench.run(ten)).samples == 10
    assert bench.backend.asked == []


def test_an_answer_that_failed_is_asked_again(bench: Bench, ten: DatasetSpec):
    manifests = bench.restart(failing_on("What is 2 + 3?")).run(ten)
    collected = bench.collect(ten, manifests)
    assert (collected.errors, collected.main_error) == (1, "no answer from the service")
    assert bench.predictions(ten)["2"]["status"] == "error"
    bench.restart()
    assert bench.collect(ten, bench.run(ten)).errors == 0
    assert bench.backend.asked == ["What is 2 + 3?"]
    assert bench.predictions(ten)["2"]["prediction"] == "5"


def test_an_answer_that_is_gone_after_its_part_was_finished_is_asked_again(bench: Bench, ten: DatasetSpec):
    manifests = bench.run(ten)
    (file,) = bench.folder.ledger(Pair("fake", "sums")).glob("*.jsonl")
    os.truncate(file, file.stat().st_size - 20)
    bench.restart()
    with pytest.raises(CollectError, match="row 9 is gone from the ledger"):
        bench.collect(ten, manifests)
    assert bench.collect(ten, bench.restart().run(ten)).statuses == {"ok": 10}
    assert bench.backend.asked == ["What is 9 + 10?"]


def test_identical_rows_are_all_asked(bench: Bench, tmp_path: Path):
    twins = dataset_spec(write_rows(tmp_path / "twins.jsonl", [*sums(2), *sums(2)]))
    assert bench.collect(twins, bench.run(twins)).samples == 4
    assert len(bench.backend.asked) == 4
    bench.restart().run(twins, rows=(2, 4))
    assert bench.backend.asked == []


def test_repeats_are_asked_once_each(bench: Bench, tmp_path: Path):
    dataset = dataset_spec(write_rows(tmp_path / "three.jsonl", sums(3)), n=2)
    assert bench.collect(dataset, bench.run(dataset)).samples == 6
    assert len(bench.backend.asked) == 6


def test_a_changed_recipe_is_asked_again_and_the_old_answers_stay(bench: Bench, ten: DatasetSpec, tmp_path: Path):
    bench.run(ten)
    longer = dataset_spec(tmp_path / "ten.jsonl", inferencer={"max_out_len": 5})
    assert bench.restart().run(longer) and len(bench.backend.asked) == 10
    assert bench.restart().run(ten) and bench.backend.asked == []


def test_all_datasets_of_a_shard_share_the_slots(bench: Bench, tmp_path: Path):
    datasets = [dataset_spec(write_rows(tmp_path / f"{n}.jsonl", sums(10)[n : n + 2]), abbr=f"d{n}") for n in range(5)]
    manifests = bench.restart(delay=0.02).run(*datasets, in_flight=8)
    assert bench.backend.peak == 8
    assert [manifest.rows for manifest in manifests] == [2] * 5


def test_a_dead_endpoint_stops_the_shard_and_keeps_what_was_answered(bench: Bench, ten: DatasetSpec):
    bench.restart(failing_on("What is 5 + 6?", fatal=True))
    with pytest.raises(ShardFailed, match="no answer from the service") as failure:
        bench.run(ten, in_flight=1)
    assert not failure.value.retryable and len(bench.backend.asked) <= 7
    kept = bench.session.progress.snapshot().counters.done - bench.session.progress.snapshot().counters.errors
    bench.restart().run(ten)
    assert kept >= 5 and len(bench.backend.asked) == 10 - kept


def test_an_interrupt_ends_the_shard_soon_and_keeps_what_was_answered(bench: Bench, tmp_path: Path):
    many = dataset_spec(write_rows(tmp_path / "many.jsonl", sums(400)))
    bench.restart(delay=0.01)
    threading.Timer(0.3, bench.session.interrupt).start()
    with pytest.raises(ShardFailed, match=INTERRUPTED):
        bench.run(many, in_flight=2)
    answered = len(bench.backend.asked)
    assert 0 < answered < 400
    bench.restart().run(many)
    assert len(bench.backend.asked) == 400 - answered


def test_a_broken_disk_is_told_as_such(bench: Bench, ten: DatasetSpec):
    ledger = bench.folder.ledger(Pair("fake", "sums"))
    ledger.parent.mkdir(parents=True)
    ledger.write_text("in the way")
    with pytest.raises(ShardFailed, match="cannot write"):
        bench.run(ten)


@pytest.mark.parametrize("fails_at", [1, 5, 9, 10])
def test_a_disk_that_fills_up_is_told_whatever_the_shard_was_doing(
    bench: Bench, ten: DatasetSpec, monkeypatch: pytest.MonkeyPatch, fails_at: int
):
    append, count = Ledger.append, 0

    def failing(ledger: Ledger, record: RequestRecord) -> None:
        nonlocal count
        count += 1
        if count == fails_at:
            raise LedgerError("the disk is full")
        append(ledger, record)

    monkeypatch.setattr(Ledger, "append", failing)
    with pytest.raises(ShardFailed, match="the disk is full"):
        bench.restart(delay=0.005).run(ten, in_flight=4)


def test_answers_of_an_opencompass_folder_are_taken_over_where_the_prompt_is_the_same(bench: Bench, ten: DatasetSpec):
    stored = {
        "0": {"origin_prompt": [{"role": "HUMAN", "prompt": "What is 0 + 1?"}], "prediction": "one"},
        "1": {"origin_prompt": [{"role": "HUMAN", "prompt": "another prompt"}], "prediction": "two"},
    }
    path = bench.folder.predictions(Pair("fake", "sums"))
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(stored))
    bench.collect(ten, bench.run(ten))
    records = bench.predictions(ten)
    assert records["0"]["prediction"] == "one" and "OpenCompass" in str(records["0"]["note"])
    assert len(bench.backend.asked) == 9
    assert read_json(path.with_name("sums.json.bak")) == stored


def test_a_checkpoint_of_opencompass_is_read_line_by_line(bench: Bench, ten: DatasetSpec):
    """Its lines end at a line feed alone; the last one may have been cut off."""
    answers = ["one\u2028and a half", "雪\x85", "three\r", "four"]
    records = [
        {"origin_prompt": [{"role": "HUMAN", "prompt": f"What is {n} + {n + 1}?"}], "prediction": answer}
        for n, answer in enumerate(answers)
    ]
    path = bench.folder.predictions(Pair("fake", "sums"))
    path.parent.mkdir(parents=True)
    lines = "\n".join(json.dumps(record, ensure_ascii=False) for record in records)
    path.with_name("tmp_sums.jsonl").write_text(lines[:-5], encoding="utf-8")
    bench.collect(ten, bench.run(ten))
    assert [bench.predictions(ten)[str(n)]["prediction"] for n in range(4)] == [*answers[:3], "7"]
    assert len(bench.backend.asked) == 7


def test_logs_of_further_datasets_point_to_the_first(bench: Bench, tmp_path: Path):
    datasets = [dataset_spec(write_rows(tmp_path / f"{n}.jsonl", sums(2)), abbr=f"d{n}") for n in range(2)]
    bench.run(*datasets)
    assert "d0.out" in bench.folder.log("infer", Pair("fake", "d1")).read_text()


@pytest.mark.parametrize("keeps_time", [True, False])
def test_a_letter_of_the_predictions_that_changed_is_put_right(bench: Bench, ten: DatasetSpec, keeps_time: bool):
    bench.collect(ten, manifests := bench.run(ten))
    path = bench.folder.predictions(Pair("fake", "sums"))
    written, stat = path.read_bytes(), path.stat()
    path.write_bytes(written.replace(b'"prediction": "7"', b'"prediction": "8"'))
    if keeps_time:
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    bench.collect(ten, manifests)
    assert path.read_bytes() == written


def test_a_copied_run_keeps_its_predictions(bench: Bench, ten: DatasetSpec):
    bench.collect(ten, manifests := bench.run(ten))
    path = bench.folder.predictions(Pair("fake", "sums"))
    os.utime(path, ns=(1, 1))
    bench.collect(ten, manifests)
    assert path.stat().st_mtime_ns == 1
