"""The flow `compass`: a whole evaluation, infer → eval → viz.

`python -m flows.eval config.py` is the command line; it must not pay for Prefect before it knows it
needs it, so that form leaves this file before the imports below.
"""

if __name__ == "__main__":
    import sys

    from flows.cli import main

    sys.exit(main(sys.argv[1:], program="python -m flows.eval"))

import logging
from typing import Any

from prefect import flow, tags
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Cancelled, Completed, Failed

from flows.infer import infer_flow
from flows.preparation import prepare
from flows.run import Run, current_run, open_run
from flows.run_record import find_run_of_flow, update_record
from flows.score import score_flow
from flows.sequence import run_stages
from flows.viz import viz_flow
from tasks.plan.request import Mode, RunRequest

_NOISY = ("prefect.events.clients", "prefect._internal.concurrency", "prefect.client")
"""Loggers that report every lost event when the server is gone, which is said once instead."""


class PrefectEngine:
    """Executes each stage as a flow run of its own."""

    def infer(self, run: Run) -> None:
        infer_flow(run)

    def score(self, run: Run) -> None:
        score_flow(run)

    def summarize(self, run: Run) -> None:
        viz_flow(run)


def _run_name() -> str:
    run = current_run.get()
    parameters: dict[str, Any] = flow_run.parameters
    if run is not None:
        return run.title
    return str(parameters.get("config") or " ".join([*parameters["models"], "on", *parameters["datasets"]]))


@flow(name="compass", flow_run_name=_run_name, persist_result=False, validate_parameters=True)
def compass(  # noqa: PLR0913, PLR0917 the parameters are the form in the browser
    config: str | None = None,
    models: list[str] | None = None,
    datasets: list[str] | None = None,
    summarizer: str | None = None,
    mode: Mode = "all",
    reuse: str | None = None,
    work_dir: str | None = None,
    limit: int | None = None,
    max_num_workers: int | None = None,
    fail_on_error: float = 0.05,
    unsafe_code_execution: bool = False,
) -> State[None]:
    """Evaluates language models on benchmarks: predictions, scores and a summary table.

    Args:
        config: Path of the configuration file; or give names of models and datasets instead.
        models: Names of model configs.
        datasets: Names of dataset configs.
        summarizer: Name of a summarizer config, beside names of models and datasets.
        mode: Stages to run. `eval` and `viz` need `reuse`.
        reuse: Run to go on with: its timestamp, or `latest`.
        work_dir: Parent folder of the runs.
        limit: Only the first N samples of each dataset.
        max_num_workers: Tasks that run at once, where the configuration says nothing.
        fail_on_error: Errors a model-dataset pair may have: a fraction below 1, or a count.
        unsafe_code_execution: Run programs that models write with the worker's own rights where no sandbox works.
    """
    run = current_run.get()
    if run is not None:
        return _evaluate(run)
    request = RunRequest(
        config=config,
        models=tuple(models or ()),
        datasets=tuple(datasets or ()),
        summarizer=summarizer,
        mode=mode,
        reuse=reuse,
        work_dir=work_dir,
        limit=limit,
        max_num_workers=max_num_workers,
        fail_on_error=fail_on_error,
        unsafe_code_execution=unsafe_code_execution,
    )
    plan = prepare(request)
    started_before = find_run_of_flow(plan.work_dir, flow_run.id)
    with open_run(plan, started_before) as run:
        return _evaluate(run)


def _evaluate(run: Run) -> State[None]:
    """Runs the stages; the state tells what became of them."""
    update_record(run.folder, flow_run_id=str(flow_run.id))
    try:
        run_stages(run, PrefectEngine())
    except BaseException as error:
        if not isinstance(error, Exception):
            run.interrupt()
        raise
    if run.stop.is_set():
        return Cancelled(message=f"Interrupted; everything answered is saved in {run.folder.root}")
    if run.failures:
        return Failed(
            message="; ".join(f"{pair.model}/{pair.dataset}: {reason}" for pair, reason in run.failures.items())
        )
    return Completed(message=f"Finished; reuse={run.folder.name} continues or summarises this run again")


def run_with_prefect(run: Run) -> None:
    """Runs an opened run as a flow run; what happened is in the run's files and fields."""
    request = run.plan.request
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with tags(*run.tags):
        compass(
            config=request.config,
            models=list(request.models),
            datasets=list(request.datasets),
            summarizer=request.summarizer,
            mode=request.mode,
            reuse=request.reuse,
            work_dir=str(run.plan.work_dir),
            limit=request.limit,
            max_num_workers=request.max_num_workers,
            fail_on_error=request.fail_on_error,
            unsafe_code_execution=request.unsafe_code_execution,
            return_state=True,
        )
