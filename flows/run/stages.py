"""What the stages do with a run, whoever executes the single pieces of work."""

import logging
import time
from collections.abc import Iterable

from flows.run.engine_errors import NotExecuted
from flows.run.run import Run
from flows.run.window import Future, Submit
from tasks.data.rows import plan_rows
from tasks.infer.budget import BUDGET_REACHED
from tasks.infer.collect import CollectError, collect
from tasks.infer.lengths import length_counter
from tasks.infer.pair_state import PairState, StateName, read_state, write_state
from tasks.infer.part_manifests import PartManifest, finished_manifest
from tasks.infer.session import INTERRUPTED, build_inferencer
from tasks.infer.shard_run import ShardFailed
from tasks.plan.shards import parts_by_pair
from tasks.score.batch import BatchFailed, PairOutcome, ScoreBatch
from tasks.spec.findings import UserError
from tasks.spec.shard import Shard, ShardPart
from tasks.spec.storage.run_folder import Pair

_log = logging.getLogger(__name__)
_SECONDS_BETWEEN_STATES = 5.0

ShardFuture = Future[list[PartManifest]]
SubmitShard = Submit[Shard, list[PartManifest]]
SubmitScores = Submit[ScoreBatch, list[PairOutcome]]


def has_missing_parts(run: Run) -> bool:
    """Whether inference has anything left to ask."""
    return any(
        _manifest(run, pair, part) is None for pair, parts in parts_by_pair(run.shards).items() for part in parts
    )


def infer_stage(run: Run, submit: SubmitShard) -> None:
    """Runs all shards; calls `run.pair_ready` for each pair when its predictions file is complete."""
    stage = _Inference(run)
    window = run.to_infer
    run.session.part_finished = lambda pair, manifest: window.call(lambda: stage.took(pair, manifest))
    window.add(run.shards)
    window.end()
    try:
        window.run(submit, stage.received, stage.write_progress)
    except OSError:
        run.session.interrupt()  # further answers could not be noted
        raise
    stage.end()


def collect_stage(run: Run) -> None:
    """Stands for `infer_stage` when every part is finished: only predictions files may have to be made."""
    stage = _Inference(run)
    for pair, parts in stage.parts.items():
        for part in parts:
            counters = run.progress.begin(pair, part.key)
            counters.done = counters.reused = part.rows
            stage.took(pair, _manifest(run, pair, part))


def score_stage(run: Run, submit: SubmitScores) -> None:
    """Scores what is put into `run.to_score` until it is ended and empty."""

    def received(batch: ScoreBatch, future: Future[list[PairOutcome]]) -> None:
        for outcome in _outcomes(run, batch, future):
            if outcome.is_unfinished:
                _leave_unscored(run, outcome)
                continue
            if outcome.reason:
                run.fail("eval", outcome.pair, outcome.reason)

    run.to_score.run(submit, received)


def _leave_unscored(run: Run, outcome: PairOutcome) -> None:
    """An interrupted run says so by itself."""
    if outcome.reason != INTERRUPTED:
        run.leave(outcome.pair, outcome.reason)


def _outcomes(run: Run, batch: ScoreBatch, future: Future[list[PairOutcome]]) -> list[PairOutcome]:
    """None of a batch that is tried again."""
    try:
        return future.result()
    except BatchFailed as failed:
        return failed.outcomes
    except Exception as error:  # noqa: BLE001  # whatever an engine raises for lost work, the other batches go on
        if isinstance(error, NotExecuted) and run.to_score.again(batch):
            _log.warning("%s is tried again: %s", batch.name, error)
            return []
        return [PairOutcome(item.pair, f"scoring did not run: {error}") for item in batch.pairs]


class _Inference:
    """Follows the parts of every pair to its predictions file."""

    def __init__(self, run: Run) -> None:
        self._run = run
        self.parts = parts_by_pair(run.shards)
        self._manifests: dict[Pair, dict[str, PartManifest]] = {pair: {} for pair in self.parts}
        self._plans = {plan.pair: plan for plan in run.plan.pairs}
        self._reasons: dict[Pair, str] = {}
        self._settled: set[Pair] = set()
        self._written: dict[Pair, int] = {}
        """Samples that the state files tell of; pairs that were done before are missing."""
        self._next_write = 0.0
        for pair, parts in self.parts.items():
            run.progress.plan(pair, sum(part.rows for part in parts))
            if not self._is_done(pair, parts):
                self._write_state(pair, "running")

    def received(self, shard: Shard, future: ShardFuture) -> None:
        """Takes the outcome of a shard."""
        reason = ""
        try:
            manifests = {manifest.key: manifest for manifest in future.result()}
        except ShardFailed as error:
            manifests, reason = {}, error.reason
            if error.disk:
                self._run.session.interrupt()
        except UserError as error:
            manifests, reason = {}, str(error)
        except NotExecuted as error:
            if self._run.to_infer.again(shard):
                _log.warning("%s is tried again: %s", shard.name, error)
                return
            manifests, reason = {}, str(error)
        except Exception as error:  # noqa: BLE001  # a backend of the user's own may raise anything
            _log.exception("%s failed", shard.name)
            manifests, reason = {}, f"{type(error).__name__}: {error}"
        for part in shard.parts:
            pair = Pair(shard.model.abbr, part.dataset.abbr)
            manifest = manifests.get(part.key) or _manifest(self._run, pair, part)
            if manifest is None:
                self._reasons.setdefault(pair, reason)
            else:
                self.took(pair, manifest)

    def took(self, pair: Pair, manifest: PartManifest | None) -> None:
        """Notes a finished part, once; makes the predictions file when it was the pair's last."""
        if manifest is not None:
            self._manifests[pair][manifest.key] = manifest
        if pair not in self._settled and len(self._manifests[pair]) == len(self.parts[pair]):
            self._collect(pair)

    def write_progress(self) -> None:
        """Brings the state files of pairs that got on up to date, every few seconds."""
        if time.monotonic() < self._next_write:
            return
        self._next_write = time.monotonic() + _SECONDS_BETWEEN_STATES
        for pair in self._written.keys() - self._settled:
            if self._run.progress.snapshot(pair).counters.done != self._written[pair]:
                self._write_state(pair, "running")

    def end(self) -> None:
        """Settles the pairs that did not become complete."""
        for pair in self.parts:
            if pair in self._settled:
                continue
            reason = self._reasons.get(pair) or INTERRUPTED
            if reason == INTERRUPTED:
                if pair in self._written:
                    self._write_state(pair, "pending", reason)
            elif reason.startswith(BUDGET_REACHED):
                self._leave(pair, reason)
            else:
                self._fail(pair, reason)

    def _is_done(self, pair: Pair, parts: Iterable[ShardPart]) -> bool:
        """Whether an earlier run finished the pair; its state is left alone, since replacing a file takes its time."""
        state = read_state(self._run.folder, "infer", pair)
        return bool(state and state.status == "done" and all(_manifest(self._run, pair, part) for part in parts))

    def _collect(self, pair: Pair) -> None:
        plan, run = self._plans[pair], self._run
        self._settled.add(pair)
        if plan.data is None:
            raise ValueError(f"{pair.dataset} is not loaded")
        try:
            collected = collect(
                run.folder,
                pair,
                plan.dataset,
                data=plan.data,
                rows=plan_rows(plan.dataset, plan.data, run.plan.request.limit),
                manifests=list(self._manifests[pair].values()),
                inferencer=build_inferencer(plan.dataset, run.plan.search_path),
                open_ledger=lambda: run.session.ledger(pair),
                count_tokens=length_counter(plan.model) if run.plan.request.dump_res_length else None,
            )
        except (CollectError, OSError) as error:
            self._fail(pair, str(error))
            return
        finally:
            run.session.release(pair)
        failure = collected.failure(run.plan.budget)
        if failure:
            self._fail(pair, failure)
            return
        if collected.errors:
            _log.warning(
                "%s/%s: %d of %d samples have no answer (%s)",
                *pair,
                collected.errors,
                collected.samples,
                collected.main_error,
            )
        self._write_state(pair, "done")
        run.progress.settle(pair)
        run.pair_ready(pair)

    def _leave(self, pair: Pair, reason: str) -> None:
        """The pair is not finished because the run may spend no more; what it has is kept."""
        snapshot = self._run.progress.snapshot(pair)
        left = f"{reason}; {snapshot.total - snapshot.counters.done} of {snapshot.total} samples are left"
        self._run.leave(pair, left)
        self._write_state(pair, "pending", reason)
        _log.warning("%s/%s: %s", *pair, left)

    def _fail(self, pair: Pair, reason: str) -> None:
        self._settled.add(pair)
        self._run.fail("infer", pair, f"inference failed: {reason}")
        self._write_state(pair, "fail", reason)
        _log.error("%s/%s: inference failed: %s", *pair, reason)

    def _write_state(self, pair: Pair, status: StateName, reason: str = "") -> None:
        snapshot = self._run.progress.snapshot(pair)
        self._written[pair] = snapshot.counters.done
        # what a job has told last may be behind its predictions, which are complete
        completed = snapshot.total if status == "done" else snapshot.counters.done
        state = PairState(status=status, total=snapshot.total, completed=completed, reason=reason)
        stored = read_state(self._run.folder, "infer", pair)
        # replacing a file takes its time: one that says the same stays
        if stored is None or state != stored.model_copy(update={"updated_at": state.updated_at}):
            write_state(self._run.folder, "infer", pair, state)


def _manifest(run: Run, pair: Pair, part: ShardPart) -> PartManifest | None:
    return finished_manifest(run.folder.ledger(pair), part.key)
