"""The flow `compass`: a whole evaluation, infer → eval → viz.

`python -m flows.eval config.py` is the command line; it must not pay for Prefect before it knows it
needs it, so that form leaves this file before the imports below.
"""

if __name__ == "__main__":
    import sys
    from importlib import import_module

    main = import_module("flows.terminal.cli").main  # by its name: the command line imports this module
    sys.exit(main(sys.argv[1:], program="python -m flows.eval"))

import logging
from contextlib import suppress
from pathlib import Path
from typing import Any

from prefect import flow, get_client, tags
from prefect.artifacts import create_markdown_artifact
from prefect.client.schemas.objects import State, StateType
from prefect.context import TagsContext
from prefect.runtime import deployment, flow_run
from prefect.utilities.urls import url_for
from pydantic import NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from flows.flow_runs.deployment_checks import check_deployed_plan, deployed_request
from flows.flow_runs.described import described
from flows.flow_runs.execution import Outcome, carry_out, open_for_flow
from flows.flow_runs.page import run_page
from flows.infer import infer_flow
from flows.preflight_run import run_preflight
from flows.preparation.prepare import prepare
from flows.run.engine_errors import retry_engine_errors
from flows.run.record import scrubbed_request
from flows.run.run import Run, current_run
from flows.score import score_flow
from flows.viz import artifact_key, viz_flow
from tasks.plan.option_texts import RUN
from tasks.plan.request import Accelerator, CustomData, HFModel, Mode, Preference, RunRequest

_NOISY = ("prefect.events.clients", "prefect._internal.concurrency", "prefect.client")
"""Loggers that report every lost event when the server is gone, which is said once instead."""


class PrefectEngine:
    """Executes each stage as a flow run of its own, in another one if that fails: what is done is not done twice."""

    def infer(self, run: Run) -> None:
        retry_engine_errors(lambda: infer_flow(run), run.stop, run.engine_lost)

    def score(self, run: Run) -> None:
        retry_engine_errors(lambda: score_flow(run), run.stop, run.engine_lost)

    def summarize(self, run: Run) -> None:
        retry_engine_errors(lambda: viz_flow(run), run.stop, run.engine_lost)


def _run_name() -> str:
    run = current_run.get()
    parameters: dict[str, Any] = flow_run.parameters
    if run is not None:
        return run.title
    names = [*(parameters["models"] or ["a Hugging Face model"]), "on", *(parameters["datasets"] or ["own data"])]
    return Path(parameters["config"]).stem if parameters.get("config") else " ".join(names)


@flow(name="compass", flow_run_name=_run_name, persist_result=False, validate_parameters=True)
@described("Evaluates language models on benchmarks: predictions, scores and a summary table.", RUN)
def compass(  # noqa: D103, PLR0913, PLR0917  the parameters are the form in the browser
    config: str | None = None,
    models: list[str] | None = None,
    datasets: list[str] | None = None,
    summarizer: str | None = None,
    mode: Mode = "all",
    reuse: str | None = None,
    work_dir: str | None = None,
    limit: PositiveInt | None = None,
    max_num_workers: PositiveInt | None = None,
    fail_on_error: NonNegativeFloat = 0.05,
    preflight: bool = False,
    max_samples: PositiveInt | None = None,
    max_tokens: PositiveInt | None = None,
    max_cost: PositiveFloat | None = None,
    max_minutes: PositiveFloat | None = None,
    rescore_changed: bool = False,
    unsafe_code_execution: bool = False,
    overrides: list[str] | None = None,
    config_dir: str | None = None,
    hf: HFModel | None = None,
    custom: CustomData | None = None,
    dataset_num_runs: PositiveInt = 1,
    accelerator: Accelerator | None = None,
    prefer: Preference = "compass",
    length_range: str | None = None,
    cache: str | None = None,
    offline: bool = False,
    runner: str | None = None,
    partition: str | None = None,
    quotatype: str | None = None,
    qos: str | None = None,
    aliyun_cfg: str | None = None,
    retry: NonNegativeInt | None = None,
    max_workers_per_gpu: PositiveInt | None = None,
    dump_eval_details: bool = True,
    report: bool = False,
    dump_res_length: bool = False,
    dump_extract_rate: bool = False,
    analysis_repeat: bool = False,
    station_path: str | None = None,
    station_overwrite: bool = False,
    station_samples: bool = False,
    read_from_station: bool = False,
    debug: bool = False,
    lark: bool = False,
    notify: list[str] | None = None,
) -> State[None]:
    given = {name: value for name, value in locals().items() if value is not None}
    run = current_run.get()
    if run is not None:
        return _carry_out(run)
    request = RunRequest.model_validate(RunRequest.model_validate(given).model_dump(exclude_defaults=True))
    plan = prepare(deployed_request(request) if deployment.id else request)
    if deployment.id:
        check_deployed_plan(plan)
    if plan.request.preflight:
        return _preflight(plan.request)
    with open_for_flow(plan, flow_run.id) as run:
        return _carry_out(run)


def _preflight(request: RunRequest) -> State[None]:
    works = run_preflight(request) == 0
    return State(type=StateType.COMPLETED if works else StateType.FAILED, message="preflight: see the log")


def _carry_out(run: Run) -> State[None]:
    run.url = url_for("flow-run", obj_id=flow_run.id) or ""
    if deployment.id:
        _name_after(run)
    with TagsContext():  # a task that has tags waits for the server to say whether they are limited
        outcome = carry_out(run, PrefectEngine(), flow_run.id)
    with suppress(Exception):  # whatever the client raises; the run is what its files say
        create_markdown_artifact(run_page(run), key=f"run-{artifact_key(run)}", description="Files, logs, failures")
    return _state(outcome)


def _name_after(run: Run) -> None:
    """A run that a worker began gets the name and the tags of one from a terminal, now that it has a folder."""
    with suppress(Exception), get_client(sync_client=True) as client:
        client.update_flow_run(flow_run.id, name=run.title, tags={*flow_run.tags, *run.tags})


def _state(outcome: Outcome) -> State[None]:
    return State(type=StateType(outcome.type), message=outcome.message)


def run_with_prefect(run: Run) -> None:
    """Runs an opened run as a flow run; what happened is in the run's files and fields. Raises what ended it early."""
    for name in _NOISY:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    with tags(*run.tags):
        compass(**_parameters(run), return_state=True)
    if run.error is not None:
        raise run.error


def _parameters(run: Run) -> dict[str, Any]:
    """What the flow run shows it was asked for; names are always there, since its own name is made of them."""
    given = scrubbed_request(run.plan)
    return {"models": [], "datasets": [], **given, "work_dir": str(run.plan.work_dir)}
