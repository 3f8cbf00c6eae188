"""The order of the stages: infer, eval, viz; side by side where the configuration asks for it."""

import logging
from collections.abc import Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import Protocol

from flows.run.ready_pairs import Releasing
from flows.run.record import last_asking, update_record
from flows.run.run import Run
from flows.run.stages import collect_stage, has_missing_parts
from tasks.infer.pair_state import read_state
from tasks.plan.scoring_pieces import executed_together
from tasks.score.batch import PairToScore, ScoreBatch
from tasks.score.score_key import is_scored
from tasks.spec.storage.run_folder import Pair
from tasks.spec.subjective import is_judged

_log = logging.getLogger(__name__)


class Engine(Protocol):
    """Who executes the pieces of work of each stage: Prefect, or threads of this process."""

    def infer(self, run: Run) -> None: ...

    def score(self, run: Run) -> None: ...

    def summarize(self, run: Run) -> None: ...


def run_stages(run: Run, engine: Engine) -> None:
    """Runs the stages of the run's mode; a stage that has nothing to do is skipped."""
    run.observer.started()
    try:
        _run_stages(run, engine)
    except BaseException as error:
        run.observer.ended(error)
        raise
    run.observer.ended(None)


def _run_stages(run: Run, engine: Engine) -> None:
    plan = run.plan
    if plan.taken:
        from flows.station.download import receive_results

        for pair, reason in receive_results(plan, run.folder).items():
            run.fail("eval", pair, reason)
    if plan.runs("infer") and plan.runs("eval") and plan.watches:
        _infer_and_score(run, engine)
    else:
        ready = _infer(run, engine) if plan.runs("infer") else [pair.pair for pair in plan.pairs]
        if plan.runs("eval") and not run.stop.is_set():
            _score(run, engine, ready)
    if plan.runs("viz") and not run.stop.is_set():
        engine.summarize(run)
        if run.summary is not None:
            run.observer.summarized(run.summary)
        _keep(run)
    update_record(run.folder, exit_status=run.exit_status)


def _keep(run: Run) -> None:
    """Saves what there is to the station; a run without one is spared the imports."""
    if run.plan.station is not None:
        from flows.station.upload import FinishedRun, keep_results

        kept = keep_results(FinishedRun(run.plan, run.folder, run.failures, last_asking(run.folder)))
        update_record(run.folder, station={"name": kept.station, **kept.fates, "failure": kept.failure})
        run.kept = kept


def _infer(run: Run, engine: Engine) -> list[Pair]:
    """Returns the pairs whose predictions are complete."""
    ready: list[Pair] = []
    run.pair_ready = ready.append
    _infer_stage(run, engine)
    return ready


def _infer_stage(run: Run, engine: Engine) -> None:
    if has_missing_parts(run):
        engine.infer(run)
        run.observer.stage_finished("infer", len(run.plan.pairs))
    else:
        _log.info("inference is complete already")
        collect_stage(run)


def _score(run: Run, engine: Engine, ready: Iterable[Pair]) -> None:
    pending = {pair for pair in ready if needs_score(run, pair)}
    if not pending:
        return
    tasks = [wanted for batch in run.plan.eval_batches if (wanted := [pair for pair in batch if pair in pending])]
    samples = {plan.pair: plan.samples for plan in run.plan.pairs}
    pieces = executed_together(tasks, samples, run.plan.eval.max_num_workers)
    run.to_score.add([_batch(run, piece) for piece in pieces])
    run.to_score.end()
    engine.score(run)
    run.observer.stage_finished("eval", len(pending))


def _infer_and_score(run: Run, engine: Engine) -> None:
    """Each pair is scored as soon as its predictions are complete, in a thread beside the inference.

    A pair whose answers are compared with those of other models waits for theirs.
    """
    scoring: list[Future[None]] = []
    thread = ThreadPoolExecutor(1, thread_name_prefix="eval")
    pairs: set[Pair] = set()
    releasing = Releasing(run)
    context = copy_context()  # not that of the inference: eval stands beside it, not below it

    def add(groups: Iterable[Sequence[Pair]]) -> None:
        for group in groups:
            # an inference that is begun again tells of all pairs again
            wanted = [pair for pair in group if pair not in pairs and needs_score(run, pair)]
            if not wanted:
                continue
            if not scoring:
                scoring.append(thread.submit(context.run, engine.score, run))
            pairs.update(wanted)
            run.to_score.add([_batch(run, wanted)])

    run.pair_ready = lambda pair: add(releasing.complete(pair))
    try:
        _infer_stage(run, engine)
        add(releasing.rest())
    finally:
        run.to_score.end()
        thread.shutdown()
    for future in scoring:
        future.result()
        run.observer.stage_finished("eval", len(pairs))


def needs_score(run: Run, pair: Pair) -> bool:
    """An explicit `-m eval` always scores again; otherwise an unchanged score is kept. Base models have none."""
    if pair in run.plan.taken:
        return False
    item, state = _item(run, pair), read_state(run.folder, "eval", pair)
    if not is_judged(item.dataset, pair.model):
        return False
    if run.plan.request.mode == "eval":
        return True
    return state is None or state.status != "done" or not is_scored(item.model, item.dataset, run.folder)


def _batch(run: Run, pairs: Iterable[Pair]) -> ScoreBatch:
    plan, task = run.plan, run.plan.eval.options
    return ScoreBatch(
        tuple(_item(run, pair) for pair in pairs),
        dump_details=plan.request.dump_eval_details and task.get("dump_details", True),
        extract_rate=plan.request.dump_extract_rate or task.get("cal_extract_rate", False),
        limit=plan.request.limit,
        search_path=plan.search_path,
        unsafe_code_execution=plan.unsafe_code_execution,
        rescore_changed=plan.request.rescore_changed,
        budget=plan.budget,
    )


def _item(run: Run, pair: Pair) -> PairToScore:
    plan = run.plan.by_pair[pair]
    return PairToScore(plan.model, plan.dataset)
