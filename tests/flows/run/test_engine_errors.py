"""A stage that Prefect cannot serve for a moment is called again; what fails of its own accord is not."""

from threading import Event

import pytest
from prefect.concurrency.asyncio import ConcurrencySlotAcquisitionError

from flows.run import engine_errors as engine_faults
from flows.run.engine_errors import retry_engine_errors

OF_ENGINE = ConcurrencySlotAcquisitionError("the server restarts")


@pytest.mark.parametrize(
    ("errors", "calls", "works"),
    [
        ([], 1, True),
        ([OF_ENGINE, OF_ENGINE], 3, True),
        ([OF_ENGINE, OF_ENGINE, OF_ENGINE], 3, False),
        ([ValueError("of the work")], 1, False),
    ],
)
def test_only_what_the_engine_fails_with_is_called_again_and_not_for_ever(
    errors: list[Exception], calls: int, works: bool, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(engine_faults, "PAUSES", (0.01, 0.01))
    called, failing = [], iter(errors)

    def stage() -> None:
        called.append(None)
        for error in failing:
            raise error

    if works:
        retry_engine_errors(stage)
    else:
        with pytest.raises(type(errors[-1])):
            retry_engine_errors(stage)
    assert len(called) == calls


def test_a_run_that_is_to_end_is_not_begun_again():
    stop, calls = Event(), []

    def stage() -> None:
        calls.append(None)
        stop.set()
        raise OF_ENGINE

    with pytest.raises(ConcurrencySlotAcquisitionError):
        retry_engine_errors(stage, Event(), stop)
    assert len(calls) == 1
