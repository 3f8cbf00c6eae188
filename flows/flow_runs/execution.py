"""A run as a flow run: opened for it, carried out, and what its final state says. Knows no Prefect."""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple

from flows.flow_runs.deployment_checks import absolute_folder
from flows.output.log_setup import run_logs
from flows.preparation.saved_run import plan_saved_run
from flows.run.interrupts import ended_by_sigterm
from flows.run.record import find_run_of_flow, update_record
from flows.run.run import Run, open_run, run_opened_in
from flows.run.sequence import Engine, run_stages
from tasks.plan.request import Mode
from tasks.plan.run_plan import RunPlan
from tasks.spec.storage.run_folder import Pair

_log = logging.getLogger(__name__)

Stage = Callable[[Run], None]


class Outcome(NamedTuple):
    """A final state."""

    type: Literal["COMPLETED", "FAILED", "CANCELLED"]
    message: str


@contextmanager
def open_for_flow(plan: RunPlan, flow_run_id: str | None) -> Iterator[Run]:
    """Opens the plan's run; a flow run that is retried or rescheduled goes on with the folder it began."""
    started_before = find_run_of_flow(plan.work_dir, flow_run_id)
    with run_logs(plan.values, debug=plan.request.debug), open_run(plan, started_before) as run:
        _log.info("run folder: %s", run.folder.root)
        for finding in plan.findings:
            _log.warning("%s", finding)
        yield run


def carry_out(run: Run, engine: Engine, flow_run_id: str | None) -> Outcome:
    """Runs the stages of an opened run."""
    update_record(run.folder, flow_run_id=str(flow_run_id))
    try:
        with ended_by_sigterm(run):
            run_stages(run, engine)
    except BaseException as error:
        if isinstance(error, Exception):
            run.error = error
        else:
            run.interrupt()
        raise
    return _outcome(run)


def carry_out_stage(run_folder: str, mode: Mode, stage: Stage, flow_run_id: str | None) -> Outcome | None:
    """Runs one stage: of the run that this process has opened, else of the one that the folder tells about.

    None if all went well and the opened run goes on.
    """
    run = run_opened_in(run_folder)
    if run is None:
        with open_for_flow(plan_saved_run(absolute_folder(run_folder), mode), flow_run_id) as run:
            return carry_out(run, _OneStage(stage), flow_run_id)
    with ended_by_sigterm(run):
        stage(run)
    if run.stop.is_set():
        return _interrupted(run)
    reasons = [_reason(run, pair) for pair in run.failures if run.failed_in.get(pair) == mode]
    return Outcome("FAILED", "; ".join(reasons)) if reasons else None


class _OneStage:
    """Executes the only stage of a run's mode in the flow that asks for it."""

    def __init__(self, stage: Stage) -> None:
        self._stage = stage

    def infer(self, run: Run) -> None:
        self._stage(run)

    def score(self, run: Run) -> None:
        self._stage(run)

    def summarize(self, run: Run) -> None:
        self._stage(run)


def _outcome(run: Run) -> Outcome:
    if run.stop.is_set():
        return _interrupted(run)
    reasons = [_reason(run, pair) for pair in run.failures]
    if run.station_failure:
        reasons.append(run.station_failure)
    if reasons:
        return Outcome("FAILED", "; ".join(reasons))
    return Outcome("COMPLETED", f"Finished; reuse={run.folder.name} continues or summarises this run again")


def _reason(run: Run, pair: Pair) -> str:
    return f"{pair.model}/{pair.dataset}: {run.failures[pair]}"


def _interrupted(run: Run) -> Outcome:
    return Outcome("CANCELLED", f"Interrupted; everything answered is saved in {run.folder.root}")
