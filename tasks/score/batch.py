"""Scores a batch of pairs; one that fails never takes the others down."""

import logging
from dataclasses import dataclass, field

from tasks.infer.pair_state import PairState, read_state, write_state
from tasks.infer.task_log import work_log
from tasks.score.judging.session import JudgeSession, JudgingStopped
from tasks.score.score_error import ScoreError
from tasks.score.score_key import is_scored
from tasks.score.scoring import score_pair
from tasks.spec.findings import UserError
from tasks.spec.secrets.scrubber import scrubbed
from tasks.spec.shard import FailureBudget
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.disk import disk_problem, is_disk_problem
from tasks.spec.storage.run_folder import Pair, RunFolder

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class PairToScore:
    """One pair with what scoring needs to know of it."""

    model: ModelSpec
    dataset: DatasetSpec

    @property
    def pair(self) -> Pair:
        return Pair(self.model.abbr, self.dataset.abbr)


@dataclass(frozen=True)
class ScoreBatch:
    """Pairs that one task scores, one after the other."""

    pairs: tuple[PairToScore, ...]
    dump_details: bool = True
    extract_rate: bool = False
    """Whether `extract_rate` is one of the metrics."""
    limit: int | None = None
    """Only the first `limit` rows of each dataset were asked."""
    search_path: tuple[str, ...] = ()
    unsafe_code_execution: bool = False
    """Programs that models wrote run without a sandbox where there is none."""
    rescore_changed: bool = False
    """Predictions and rows that are not those of the run are scored, and the score is marked."""
    budget: FailureBudget = field(default_factory=FailureBudget)
    """How many questions judges may leave without an answer."""

    @property
    def name(self) -> str:
        """Task name as OpenCompass prints it."""
        return f"OpenICLEval[{','.join(f'{item.model.abbr}/{item.dataset.abbr}' for item in self.pairs)}]"


@dataclass(frozen=True)
class PairOutcome:
    """What became of one pair."""

    pair: Pair
    reason: str = ""
    """Why there is no score; empty if there is one."""
    is_unfinished: bool = False
    """Whether judges may be asked no more in this run, so that the next one goes on; nothing went wrong."""


class BatchFailed(Exception):
    """Some pairs of a batch have no score; the others are scored."""

    def __init__(self, outcomes: list[PairOutcome]) -> None:
        self.outcomes = outcomes
        failed = [outcome for outcome in outcomes if outcome.reason]
        super().__init__(
            "; ".join(f"{outcome.pair.model}/{outcome.pair.dataset}: {outcome.reason}" for outcome in failed)
        )


def score_batch(batch: ScoreBatch, folder: RunFolder, judging: JudgeSession | None = None) -> list[PairOutcome]:
    """Scores every pair of the batch and writes results files and states; BatchFailed tells which have no score.

    `judging` asks the judges of evaluators that have some.
    """
    outcomes = [_score(item, batch, folder, judging) for item in batch.pairs]
    if any(outcome.reason for outcome in outcomes):
        raise BatchFailed(outcomes)
    return outcomes


def _score(item: PairToScore, batch: ScoreBatch, folder: RunFolder, judging: JudgeSession | None) -> PairOutcome:
    pair = item.pair
    with work_log(folder.log("eval", pair)):
        try:
            reason = _inference_failure(folder, pair) or _score_or_reason(item, batch, folder, judging)
        except JudgingStopped as stopped:
            _log.warning("%s/%s: %s", pair.model, pair.dataset, stopped.reason)
            if not is_scored(item.model, item.dataset, folder):  # by another judge, perhaps
                folder.results(pair).unlink(missing_ok=True)
            write_state(folder, "eval", pair, PairState(status="pending", reason=stopped.reason))
            return PairOutcome(pair, stopped.reason, is_unfinished=True)
        if reason:
            judges = item.dataset.subjective.model_dump() if item.dataset.subjective else {}
            reason = scrubbed(reason, item.model.arguments, {"eval_cfg": item.dataset.eval_cfg}, judges)
            _log.error("%s/%s: %s", pair.model, pair.dataset, reason)
            folder.results(pair).unlink(missing_ok=True)
    write_state(folder, "eval", pair, PairState(status="fail" if reason else "done", reason=reason))
    return PairOutcome(pair, reason)


def _score_or_reason(item: PairToScore, batch: ScoreBatch, folder: RunFolder, judging: JudgeSession | None) -> str:
    try:
        score_pair(
            item.model,
            item.dataset,
            folder,
            dump_details=batch.dump_details,
            extract_rate=batch.extract_rate,
            search_path=batch.search_path,
            limit=batch.limit,
            unsafe_code_execution=batch.unsafe_code_execution,
            rescore_changed=batch.rescore_changed,
            judging=judging,
        )
    except JudgingStopped:
        raise
    except (ScoreError, UserError) as error:
        return str(error)
    except Exception as error:  # noqa: BLE001  # an evaluator of the user's own may raise anything
        if is_disk_problem(error):
            return disk_problem(error)
        _log.exception("scoring failed")
        return f"{type(error).__name__}: {error}"
    return ""


def _inference_failure(folder: RunFolder, pair: Pair) -> str:
    """A pair whose inference failed has no score, even if some of its answers are there."""
    state = read_state(folder, "infer", pair)
    if state is None or state.status == "done":
        return ""
    if state.status == "fail":
        return f"inference failed: {state.reason}"
    return f"inference is not complete: {state.completed} of {state.total} samples"
