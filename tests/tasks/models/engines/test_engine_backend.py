"""Models in a process of their own: answers as they come, one engine for all, nothing lost but what is inside."""

import asyncio
import os
import signal
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from support.fake_engine import EchoBackend
from support.specs import model_spec

from tasks.models.engines.gpu_allocation import GpuTurn, Placement, gpu_groups
from tasks.models.factory import ModelPool
from tasks.models.interface import Completion, Request, ScoreRequest
from tasks.spec.status import Status


@pytest.fixture(autouse=True)
def _tests_importable(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))


async def stream(*prompts: str) -> AsyncIterator[Request]:
    for number, prompt in enumerate(prompts):
        yield Request(number + 100, prompt)


def names_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir()]


async def answers(backend: EchoBackend, *prompts: str) -> dict[int, Completion]:
    return {index: completion async for index, completion in backend.generate(stream(*prompts))}


async def test_answers_come_one_by_one_under_the_numbers_of_the_requests():
    backend = EchoBackend()
    found = await answers(backend, "a", "b", "c")
    assert {index: one.texts[0] for index, one in found.items()} == {100: "A", 101: "B", 102: "C"}
    await backend.close()


async def test_several_shards_share_one_engine():
    backend = EchoBackend()
    first, second = await asyncio.gather(answers(backend, "a", "b"), answers(backend, "x", "y"))
    assert [one.texts[0] for one in (*first.values(), *second.values())] == ["A", "B", "X", "Y"]
    pids = backend.engine_pids
    await answers(backend, "later")
    assert backend.engine_pids == pids and len(pids) == 1
    await backend.close()


async def test_a_request_may_wait_for_an_earlier_answer():
    backend, came = EchoBackend(), asyncio.Event()

    async def rounds() -> AsyncIterator[Request]:
        yield Request(0, "first")
        await came.wait()
        yield Request(1, "second")

    texts: list[str] = []
    async for _, completion in backend.generate(rounds()):
        texts.append(completion.texts[0])
        came.set()
    assert texts == ["FIRST", "SECOND"]
    await backend.close()


async def test_likelihoods_come_the_same_way():
    async def texts() -> AsyncIterator[ScoreRequest]:
        yield ScoreRequest(5, "context", "abc")

    backend = EchoBackend()
    assert [(index, score.tokens) async for index, score in backend.loglikelihood(texts())] == [(5, 3)]
    await backend.close()


async def test_an_engine_that_is_killed_is_started_again_and_asked_what_was_inside(tmp_path: Path):
    log = tmp_path / "log"
    backend = EchoBackend(batch=1, delay=0.05, log=str(log))
    prompts = [f"p{number}" for number in range(12)]
    found: list[int] = []
    async for index, completion in backend.generate(stream(*prompts)):
        found.append(index)
        assert completion.status is Status.OK
        if len(found) == 4:
            os.kill(backend.engine_pids[0], signal.SIGKILL)
    assert sorted(found) == [100 + number for number in range(12)]
    computed = log.read_text().split()
    assert len(computed) <= len(prompts) + 2, "at most what was inside the engine at its end is done twice"
    await backend.close()


async def test_a_request_that_kills_its_engine_again_has_its_error_and_the_others_their_answers():
    backend = EchoBackend(batch=1)
    found = await answers(backend, "a", "die", "b", "c")
    assert [found[number].status for number in (100, 102, 103)] == [Status.OK] * 3
    assert found[101].status is Status.ERROR and "status 7" in str(found[101].error) and not found[101].fatal
    await backend.close()


async def test_an_engine_removes_what_those_of_killed_runs_left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (tmp_path / "compass_engine_old").mkdir()
    (tmp_path / "compass_engine_old" / "engine.log").touch()
    backend = EchoBackend()
    await answers(backend, "a")
    (own,) = names_in(tmp_path)
    assert own != "compass_engine_old"
    await backend.close()
    assert not names_in(tmp_path)


async def test_an_engine_that_cannot_load_says_why_and_is_not_tried_again():
    backend = EchoBackend(fault="the weights are gone")
    found = await answers(backend, "a", "b")
    assert {(one.status, one.fatal, one.error) for one in found.values()} == {
        (Status.ERROR, True, "the weights are gone")
    }
    await backend.close()


async def test_a_model_whose_engines_die_twice_without_an_answer_is_given_up(tmp_path: Path):
    starts = tmp_path / "starts"
    backend = EchoBackend(starts=str(starts))
    found = await answers(backend, "die")
    assert found[100].fatal and "status 7" in str(found[100].error) and found[100].attempts == 2
    assert (await answers(backend, "a"))[100].fatal
    assert len(starts.read_text().split()) == 2
    await backend.close()


async def test_an_engine_that_dies_in_its_first_batch_is_started_again(tmp_path: Path):
    once = tmp_path / "once"
    backend = EchoBackend(batch=4, die_once=str(once))
    found = await answers(backend, "a", "b", "c")
    assert {(one.status, one.attempts) for one in found.values()} == {(Status.OK, 2)} and once.exists()
    await backend.close()


async def test_a_prompt_that_kills_the_first_batch_costs_nobody_else_an_answer():
    backend = EchoBackend(batch=2)
    found = await answers(backend, "die", "a", "b", "c", "d")
    assert [found[number].status for number in range(101, 105)] == [Status.OK] * 4
    assert found[100].status is Status.ERROR and not found[100].fatal
    await backend.close()


async def test_a_last_prompt_that_kills_its_engines_is_not_the_end_of_the_model():
    backend = EchoBackend(batch=1)
    await answers(backend, "a")
    assert not (await answers(backend, "die"))[100].fatal
    assert (await answers(backend, "b"))[100].texts == ("B",)
    await backend.close()


async def test_an_engine_that_is_killed_while_it_loads_says_so_and_is_not_tried_again(tmp_path: Path):
    starts = tmp_path / "starts"
    backend = EchoBackend(starts=str(starts), killed_loading=True)
    found = await answers(backend, "a")
    assert found[100].fatal and len(starts.read_text().split()) == 1
    error = str(found[100].error)
    assert "while it loaded the model" in error and "SIGKILL" in error and "memory" in error
    await backend.close()


async def test_the_engine_ends_with_its_backend():
    backend = EchoBackend()
    await answers(backend, "a")
    [pid] = backend.engine_pids
    await backend.close()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


async def test_an_engine_sees_only_its_own_gpus():
    backend = EchoBackend()
    backend.place([["2", "3"]])
    assert (await answers(backend, "gpus"))[100].texts == ("2,3",)
    await backend.close()


async def test_a_stream_that_is_left_early_leaves_nothing_behind():
    backend = EchoBackend(batch=1)

    async def some() -> None:
        async for _ in backend.generate(stream("a", "b", "c")):
            return

    await some()
    assert (await answers(backend, "d"))[100].texts == ("D",)
    await backend.close()


async def test_an_error_of_the_requests_is_raised():
    async def broken() -> AsyncIterator[Any]:
        yield Request(0, "a")
        raise ValueError("no more rows")

    backend = EchoBackend()
    with pytest.raises(ValueError, match="no more rows"):
        async for _ in backend.generate(broken()):
            pass
    await backend.close()


async def test_busy_replicas_get_help_from_others_on_other_gpus(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tasks.models.engines.backend._BUSY", 2)
    backend = EchoBackend(delay=0.05)
    backend.place([["0"], ["1"], ["2"]])
    found = await answers(backend, *["gpus"] * 12)
    assert {one.texts[0] for one in found.values()} == {"0", "1", "2"}
    await backend.close()


async def test_a_few_requests_load_the_weights_once():
    backend = EchoBackend()
    backend.place([["0"], ["1"]])
    await answers(backend, "a", "b")
    assert len(backend.engine_pids) == 1
    await backend.close()


async def test_models_use_the_gpus_one_after_the_other():
    turn, first, second = GpuTurn(), EchoBackend(), EchoBackend()
    for backend in (first, second):
        backend.place([["0"]], turn)
    await asyncio.gather(answers(first, "a", "b"), answers(first, "c"), answers(second, "x"))
    assert first.engine_pids == [] and len(second.engine_pids) == 1
    assert (await answers(first, "again"))[100].texts == ("AGAIN",)
    assert second.engine_pids == []
    await first.close()


@pytest.mark.parametrize(
    ("gpus", "per_replica", "groups"),
    [(8, 4, [["0", "1", "2", "3"], ["4", "5", "6", "7"]]), (3, 2, [["0", "1"]]), (1, 2, [])],
)
def test_how_many_replicas_there_is_room_for(gpus: int, per_replica: int, groups: list[list[str]]):
    assert gpu_groups([str(number) for number in range(gpus)], per_replica) == groups


def test_replicas_are_as_many_as_tasks_run_at_once():
    gpus = ["GPU-a", "GPU-b", "GPU-c", "GPU-d"]
    assert Placement(most_replicas=1).groups(gpus, 2) == [["GPU-a", "GPU-b"]]
    assert Placement(most_replicas=16, per_gpu=2).groups(gpus[:2], 1) == [["GPU-a"], ["GPU-b"], ["GPU-a"], ["GPU-b"]]
    assert Placement().groups(gpus, 8) == [gpus], "an engine says better what it lacks"
    assert Placement().groups(gpus, 0) == [[]]


@pytest.mark.parametrize(("num_gpus", "seen"), [(0, {""}), (2, {"GPU-a,GPU-b", "GPU-c,GPU-d"})])
async def test_an_engine_sees_its_own_gpus_only(monkeypatch: pytest.MonkeyPatch, num_gpus: int, seen: set[str]):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "GPU-a,GPU-b,GPU-c,GPU-d,GPU-e")
    pool = ModelPool()
    backend = pool.backend(model_spec(type="support.fake_engine.EchoBackend", num_gpus=num_gpus))
    assert isinstance(backend, EchoBackend)
    told = await answers(backend, *["gpus"] * 40)
    assert {result.texts[0] for result in told.values()} <= seen
    await pool.close()
