"""A run that may spend no more stops cleanly, keeps what it has, and says what is left."""

import json
from pathlib import Path
from typing import Any

import pytest
from support.fake_backend import FakeBackend, add
from support.specs import dataset_spec, model_spec, shard_of, sums, write_rows

from tasks.data.loading import DatasetCache
from tasks.infer.budget import BUDGET_REACHED, Spending, SpendingLimits
from tasks.infer.progress import Progress
from tasks.infer.session import InferSession
from tasks.infer.shard_run import ShardFailed
from tasks.models.interface import Completion, Usage
from tasks.spec.specs import DatasetSpec, cost
from tasks.spec.status import Status
from tasks.spec.storage.run_folder import RunFolder

PRICES = {"input": 1_000_000.0, "output": 2_000_000.0}
"""One dollar a token read, two a token written: an answer of the fake backend costs seven."""


@pytest.fixture
def dataset(tmp_path: Path) -> DatasetSpec:
    return dataset_spec(write_rows(tmp_path / "sums.jsonl", sums(20)))


def _run(root: Path, dataset: DatasetSpec, limits: SpendingLimits | None = None, **options: Any) -> tuple[str, int]:
    """The reason why the shard ended early, empty if it did not, and how much was asked."""
    folder = RunFolder(root / "run")
    model = model_spec(prices=PRICES)
    session = InferSession(folder, data=DatasetCache(), progress=Progress(), limits=limits)
    backend = session.models._backends[model.abbr] = FakeBackend(add)
    reason = ""
    try:
        session.run(shard_of(folder.root, model, dataset, **{"in_flight": 2, **options}))
    except ShardFailed as failed:
        reason = failed.reason if not failed.retryable else "to be tried again"
    session.close()
    return reason, len(backend.asked)


def test_so_many_samples_are_asked_and_no_more(tmp_path: Path, dataset: DatasetSpec) -> None:
    assert _run(tmp_path, dataset, SpendingLimits(max_samples=8)) == (f"{BUDGET_REACHED}: max_samples=8", 8)
    assert _run(tmp_path, dataset, SpendingLimits(max_samples=8)) == (f"{BUDGET_REACHED}: max_samples=8", 8)
    assert _run(tmp_path, dataset, SpendingLimits(max_samples=8)) == ("", 4)


@pytest.mark.parametrize(("limits", "most"), [(SpendingLimits(max_tokens=30), 8), (SpendingLimits(max_cost=42.0), 8)])
def test_tokens_and_cost_end_with_what_is_in_flight(
    tmp_path: Path, dataset: DatasetSpec, limits: SpendingLimits, most: int
) -> None:
    """The limit is reached with the sixth answer; two requests may be on their way then."""
    reason, asked = _run(tmp_path, dataset, limits)
    assert reason.startswith(BUDGET_REACHED)
    assert 6 <= asked <= most
    kept = [json.loads(line) for file in tmp_path.rglob("*.jsonl") if ".ledger" in str(file) for line in file.open()]
    assert len(kept) == asked
    assert _run(tmp_path, dataset) == ("", 20 - asked)


def test_time(tmp_path: Path, dataset: DatasetSpec) -> None:
    reason, asked = _run(tmp_path, dataset, SpendingLimits(max_minutes=1e-9))
    assert reason == f"{BUDGET_REACHED}: max_minutes=1e-09"
    assert asked < 20


def test_answers_that_are_there_are_free(tmp_path: Path, dataset: DatasetSpec) -> None:
    _run(tmp_path, dataset)
    assert _run(tmp_path, dataset, SpendingLimits(max_samples=1, max_tokens=1)) == ("", 0)


def test_limits_hold_for_all_models_together() -> None:
    spending = Spending(SpendingLimits(max_cost=10.0))
    answer = Completion(Status.OK, usage=Usage(3, 2))
    free, dear = model_spec("free"), model_spec("dear", prices=PRICES)
    assert spending.answered(free, answer) is None
    assert spending.answered(dear, answer) is None
    assert spending.answered(dear, answer) == f"{BUDGET_REACHED}: max_cost=10"
    assert spending.may_start() == f"{BUDGET_REACHED}: max_cost=10"
    assert (spending.tokens, spending.cost) == (15, 14.0)


def test_cost() -> None:
    assert cost({"input": 3.0, "output": 15.0}, 1_000_000, 2_000_000) == 33.0
    assert cost({"output": 15.0}, 1_000_000, 0) == 0.0
    assert cost(None, 1, 1) is None
