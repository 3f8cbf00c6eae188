"""Work spread over processes."""

import pytest

from tasks.score.parallel import ChildFailed, Lost, in_chunks, spread, spread_limited


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.score.parallel._WORTH_IT_SECONDS", 0.0)
    monkeypatch.setattr("tasks.score.parallel._cores", lambda: 2)
    monkeypatch.setattr("tasks.score.parallel._IMPORT_SECONDS", 5.0)


def test_results_come_in_order() -> None:
    assert list(spread("builtins.abs", range(-200, 0))) == list(range(200, 0, -1))


def test_nothing_to_do() -> None:
    assert list(spread("builtins.abs", [])) == []


def test_work_that_is_soon_done_starts_no_process(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.score.parallel._WORTH_IT_SECONDS", 60.0)
    monkeypatch.setattr("tasks.score.parallel.start", lambda *_, **__: pytest.fail("a process was started"))
    assert list(spread("builtins.abs", [-1, -2])) == [1, 2]


def test_an_error_is_told() -> None:
    with pytest.raises(ChildFailed, match="ValueError: math domain error"):
        list(spread("math.sqrt", [1, 4, -1]))


def test_what_takes_too_long_is_lost_and_the_rest_goes_on() -> None:
    results = list(spread_limited("builtins.sum", [[1], range(10**12), [2, 3], [4]], seconds=0.5))
    assert results == [1, Lost.TOOK_TOO_LONG, 5, 4]


def test_what_waits_for_ever_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.score.parallel._WAITING", 1)
    assert list(spread_limited("time.sleep", [0.0, 3600.0], seconds=0.5)) == [None, Lost.TOOK_TOO_LONG]


def test_what_ends_its_process_is_lost_and_the_rest_goes_on() -> None:
    assert list(spread_limited("os._exit", [1, 2], seconds=30.0)) == [Lost.DIED, Lost.DIED]


def test_what_is_no_longer_wanted_is_ended() -> None:
    results = spread_limited("time.sleep", [0.0, *[3600.0] * 10], seconds=7200.0)
    assert next(results) is None
    results.close()  # pyright: ignore[reportAttributeAccessIssue]  # it is a generator
    assert list(spread("builtins.abs", [-1, -2])) == [1, 2]


def test_chunks() -> None:
    assert list(in_chunks(range(5), 2)) == [[0, 1], [2, 3], [4]]
