"""What the scorings of one process share to ask judges: the way to the models, a ledger per pair, how many at once."""

import asyncio
import logging
import threading
from collections.abc import Iterable
from pathlib import Path

from tasks.infer.budget import BUDGET_REACHED
from tasks.infer.ledger.ledger import Ledger, LedgerError
from tasks.infer.model_access import ModelAccess
from tasks.infer.session import INTERRUPTED
from tasks.models.engines.model_server import NotAwaited
from tasks.models.interface import Backend
from tasks.prompts.model_prompt import Wording, parse_wording
from tasks.score.judging.judge_run import JudgeRun
from tasks.score.judging.judgments import IsValid, JudgePrompt, Judgment
from tasks.score.score_error import ScoreError
from tasks.spec.identity import RequestKeyer, model_identity
from tasks.spec.shard import FailureBudget, InFlight
from tasks.spec.shared_limits import per_job
from tasks.spec.specs import ModelSpec

_log = logging.getLogger(__name__)
_DEFAULT_IN_FLIGHT = 8
_GRACE_SECONDS = 2.0
"""How long answers in flight may still arrive after an interrupt."""


class JudgingStopped(Exception):
    """The run may ask no more; what the judge said is in its ledger, and scoring again goes on from there."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class JudgeSession:
    """Asks judges; `ask` may be called from several threads at once, but not from the event loop."""

    def __init__(self, access: ModelAccess, budget: FailureBudget | None = None, jobs: int = 1) -> None:
        """`budget` says how many questions of one call may stay without an answer.

        `jobs` is how many processes of the run ask judges at once; they share each judge's limits.
        """
        self._jobs = jobs
        self._access = access
        self._budget = budget or FailureBudget()
        self._slots: dict[str, asyncio.Semaphore] = {}
        self._running: dict[JudgeRun, asyncio.Task[list[Judgment]]] = {}
        self._answers = 0
        self._lock = threading.Lock()

    @property
    def answers(self) -> int:
        """How many answers judges gave in this run; from any thread."""
        return self._answers + sum(run.answers for run in list(self._running))

    def wording(self, judge: ModelSpec) -> Wording:
        """How the judge's model wants its prompts."""
        return parse_wording(self._backend(judge).prompt_form, judge.meta_template)

    def ask(
        self, judge: ModelSpec, ledger_folder: Path, prompts: Iterable[JudgePrompt], is_valid: IsValid
    ) -> list[Judgment]:
        """A judgment per prompt, in their order; what the ledger holds is not asked.

        `prompts` is gone through on the event loop, as the judge's requests get under way. Where `is_valid` finds no
        verdict in an answer, the judge is asked once more. ScoreError where more questions than the budget allows
        have no answer, JudgingStopped where the run may ask no more.
        """
        backend = self._backend(judge)
        identity = model_identity(judge)
        ledger = Ledger(ledger_folder)
        try:
            run = JudgeRun(
                judge,
                RequestKeyer(identity),
                ledger,
                self._access.shared_answers(judge, identity),
                self._access.spending,
                is_valid,
            )
            judgments = self._access.io.run(self._run(run, backend, self._slots_of(judge, identity), prompts))
        except LedgerError as error:
            raise ScoreError(str(error)) from error
        finally:
            ledger.close()
        is_over = run.stopped is not None and run.stopped.startswith((INTERRUPTED, BUDGET_REACHED))
        if is_over and not run.is_complete:
            raise JudgingStopped(str(run.stopped))
        _log.info("judge %s: %d questions, %d answers in this run", judge.abbr, len(judgments), run.answers)
        self._check(judge, judgments)
        return judgments

    def interrupt(self) -> None:
        """Stops sending requests; answers in flight may arrive for a moment, then every `ask` ends."""
        self._access.io.call_soon(self._halt_all)

    def _backend(self, judge: ModelSpec) -> Backend:
        if self._access.interrupted.is_set():
            raise JudgingStopped(INTERRUPTED)
        try:
            return self._access.backend(judge, self._share_of(judge).query_per_second)
        except NotAwaited:
            raise JudgingStopped(INTERRUPTED) from None

    def _slots_of(self, judge: ModelSpec, identity: str) -> asyncio.Semaphore:
        """`max_workers`, else `batch_size`, requests of a judge are in flight, whatever number of pairs it judges."""
        limit = self._share_of(judge).limit
        with self._lock:
            return self._slots.setdefault(identity, asyncio.Semaphore(limit))

    def _share_of(self, judge: ModelSpec) -> InFlight:
        rate, most = judge.arguments.get("query_per_second"), judge.arguments.get("max_workers")
        limit = most or judge.batch_size or _DEFAULT_IN_FLIGHT
        return per_job(InFlight(scope="model" if most else "task", limit=limit, query_per_second=rate), self._jobs)

    async def _run(
        self, run: JudgeRun, backend: Backend, slots: asyncio.Semaphore, prompts: Iterable[JudgePrompt]
    ) -> list[Judgment]:
        task = asyncio.current_task()
        assert task is not None
        self._running[run] = task
        try:
            if self._access.interrupted.is_set():
                run.halt(INTERRUPTED)
            if (reason := self._access.spending.exhausted()) is not None:
                run.halt(reason)
            return await run.run(backend, slots, prompts)
        except asyncio.CancelledError:
            if self._access.interrupted.is_set():
                raise JudgingStopped(INTERRUPTED) from None
            raise
        finally:
            del self._running[run]
            self._answers += run.answers

    def _halt_all(self) -> None:
        for run, task in self._running.items():
            run.halt(INTERRUPTED)
            asyncio.get_running_loop().call_later(_GRACE_SECONDS, task.cancel)

    def _check(self, judge: ModelSpec, judgments: list[Judgment]) -> None:
        errors = [judgment.error for judgment in judgments if judgment.gap == "error"]
        if errors and self._budget.exceeded(len(errors), len(judgments)):
            message = f"the judge {judge.abbr} did not answer {len(errors)} of {len(judgments)} questions: {errors[0]}"
            raise ScoreError(message)
        if errors:
            _log.warning("judge %s: %d of %d questions without an answer", judge.abbr, len(errors), len(judgments))
