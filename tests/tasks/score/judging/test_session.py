"""Judges are asked as models are: side by side, once, resumable; what they say is kept."""

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from support.scripted_server import Call, ScriptedServer, Turn, failed

from tasks.infer.budget import SpendingLimits
from tasks.infer.model_access import ModelAccess
from tasks.models.interface import TokenSource
from tasks.score.judging.judgments import JudgedSample, JudgePrompt, report
from tasks.score.judging.session import JudgeSession, JudgingStopped
from tasks.score.score_error import ScoreError
from tasks.spec.identity import RowIdentity
from tasks.spec.shard import FailureBudget
from tasks.spec.specs import ModelSpec
from tasks.spec.storage.run_folder import RunFolder


def prompts(*texts: str) -> list[JudgePrompt]:
    return [JudgePrompt(JudgedSample(RowIdentity(f"{n:064x}", 0)), text) for n, text in enumerate(texts)]


class Bench:
    """A judge behind a server, and sessions that ask it one after the other."""

    def __init__(self, folder: Path, server: ScriptedServer) -> None:
        self.folder, self.server = folder, server
        self.judge = self.judge_named("judge")

    def judge_named(self, path: str, **fields: Any) -> ModelSpec:
        arguments = {"path": path, "key": "EMPTY", "openai_api_base": self.server.url, "retry": 0}
        arguments |= fields.pop("arguments", {})
        kind = "tasks.models.services.openai_chat.OpenAISDK"
        return ModelSpec(abbr="judge", type=kind, written_type="OpenAISDK", arguments=arguments, **fields)

    def ask(self, *texts: str, judge: ModelSpec | None = None, budget: float = 0.05, **options: Any) -> list[Any]:
        access = ModelAccess(RunFolder(self.folder / "run"), **options)
        try:
            session = JudgeSession(access, FailureBudget(limit=budget))
            return session.ask(
                judge or self.judge, self.folder / "ledger", prompts(*texts), lambda text: "?" not in text
            )
        finally:
            access.close()


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with ScriptedServer(answer=str.upper) as server:
        yield Bench(tmp_path, server)


def test_every_prompt_gets_the_judges_answer_in_order(bench: Bench):
    judgments = bench.ask("one", "two", "three")
    assert [judgment.text for judgment in judgments] == ["ONE", "TWO", "THREE"]
    assert {judgment.gap for judgment in judgments} == {None}
    assert report(bench.judge, judgments).tokens["prompt_tokens"] > 0


def test_what_the_ledger_holds_is_never_asked_again(bench: Bench):
    bench.ask("one", "two")
    assert [judgment.text for judgment in bench.ask("one", "two", "three")] == ["ONE", "TWO", "THREE"]
    assert bench.server.questions == {"one": 1, "two": 1, "three": 1}


def test_another_judge_or_prompt_is_asked(bench: Bench):
    bench.ask("one", "two")
    bench.ask("one", "two", judge=bench.judge_named("other"))
    assert bench.server.requests == 4
    bench.ask("one", "changed", judge=bench.judge_named("judge", arguments={"timeout": 5}))
    assert bench.server.requests == 5


def test_an_unreadable_verdict_is_asked_for_once_more(bench: Bench):
    bench.server.turns = [Turn(text="?")]
    [judgment] = bench.ask("one")
    assert judgment.text == "ONE" and len(judgment.records) == 2
    assert bench.ask("one")[0].text == "ONE"
    assert bench.server.requests == 2


def test_after_two_unreadable_answers_there_is_no_verdict_and_nobody_is_asked_again(bench: Bench):
    bench.server.decide = lambda call: Turn(text="?")
    for _ in range(2):
        [judgment] = bench.ask("one")
        assert (judgment.text, judgment.gap, judgment.said) == (None, "invalid", "?")
    assert bench.server.requests == 2


def test_a_question_without_an_answer_is_asked_by_the_next_scoring(bench: Bench):
    bench.server.decide = lambda call: failed(400) if call.last_user == "two" else None
    judgments = bench.ask("one", "two", budget=0.5)
    assert [judgment.gap for judgment in judgments] == [None, "error"]
    bench.server.decide = None
    assert [judgment.text for judgment in bench.ask("one", "two")] == ["ONE", "TWO"]
    assert bench.server.questions == {"one": 1, "two": 2}


def test_too_many_questions_without_an_answer_fail_the_scoring(bench: Bench):
    bench.server.decide = lambda call: failed(400, message="no such model") if call.last_user == "two" else None
    with pytest.raises(ScoreError, match=r"did not answer 1 of 2 questions.*no such model"):
        bench.ask("one", "two")


def test_a_refused_key_stops_the_asking_at_once(bench: Bench):
    bench.server.decide = lambda call: failed(401)
    with pytest.raises(ScoreError, match="did not answer 50 of 50"):
        bench.ask(*map(str, range(50)), judge=bench.judge_named("judge", batch_size=1))
    assert bench.server.requests < 5


def test_batch_size_says_how_many_questions_are_open(bench: Bench):
    bench.server.latency = 0.05
    bench.ask(*map(str, range(12)), judge=bench.judge_named("judge", batch_size=3))
    assert bench.server.peak == 3


def test_query_per_second_caps_judges(bench: Bench):
    access, taken = ModelAccess(RunFolder(bench.folder / "run")), []

    class Counted(TokenSource):
        async def take(self, count: int) -> None:
            taken.append(count)

    rates = []
    access.pool.rate_source = lambda model, per_second: rates.append(per_second) or Counted()
    judge = bench.judge_named("judge", arguments={"query_per_second": 50})
    JudgeSession(access).ask(judge, bench.folder / "ledger", prompts("one", "two"), lambda text: True)
    access.close()
    assert rates == [50] and sum(taken) == 2


def test_the_output_limit_of_the_judge_is_sent(bench: Bench):
    bench.ask("one", judge=bench.judge_named("judge", max_out_len=77))
    assert 77 in (bench.server.calls[0].body.get(name) for name in ("max_tokens", "max_completion_tokens"))


def test_answers_in_the_cache_of_all_runs_are_not_asked(bench: Bench, tmp_path: Path):
    bench.ask("one", cache=tmp_path / "cache")
    (bench.folder / "ledger").rename(bench.folder / "elsewhere")
    assert bench.ask("one", cache=tmp_path / "cache")[0].text == "ONE"
    assert bench.server.requests == 1


def test_a_limit_of_tokens_stops_the_judge_and_the_next_scoring_goes_on(bench: Bench):
    judge = bench.judge_named("judge", batch_size=1)
    with pytest.raises(JudgingStopped, match="budget reached"):
        bench.ask(*map(str, range(20)), judge=judge, limits=SpendingLimits(max_tokens=1))
    asked = bench.server.requests
    assert asked < 20
    bench.ask(*map(str, range(20)), judge=judge)
    assert bench.server.requests == 20


def test_an_interrupt_ends_the_asking_and_keeps_what_was_answered(bench: Bench):
    started = threading.Event()

    def slow(call: Call) -> Turn | None:
        started.set()
        return Turn(latency=60) if call.number > 2 else None

    bench.server.decide = slow
    access = ModelAccess(RunFolder(bench.folder / "run"))
    session = JudgeSession(access)
    outcome: list[BaseException] = []

    def ask() -> None:
        try:
            session.ask(bench.judge, bench.folder / "ledger", prompts(*map(str, range(9))), lambda text: True)
        except BaseException as error:  # noqa: BLE001
            outcome.append(error)

    thread = threading.Thread(target=ask)
    thread.start()
    deadline = time.monotonic() + 20
    while bench.server.in_flight < 6 and time.monotonic() < deadline:
        time.sleep(0.01)
    access.interrupted.set()
    session.interrupt()
    thread.join(20)
    access.close()
    assert isinstance(outcome[0], JudgingStopped)
    bench.server.decide = None
    bench.ask(*map(str, range(9)))
    assert [bench.server.questions[str(n)] for n in range(3)] == [1, 1, 1]
