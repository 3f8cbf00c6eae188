"""What `compass` does with its arguments."""

import argparse
from contextlib import ExitStack

from flows.api import RunApi, prefect_api
from flows.console import out, say, show_findings, show_progress
from flows.continuation import continuation
from flows.inline import run_inline
from flows.interrupts import interruptible
from flows.logs import run_logs
from flows.plan_view import show_config, show_plan
from flows.preparation import prepare
from flows.run import Run, open_run
from tasks.plan.planner import make_plan
from tasks.plan.request import RunRequest


def run_command(arguments: argparse.Namespace, program: str) -> int:
    """Runs what the arguments ask for and returns the exit status; UserError for bad input."""
    request = request_of(arguments)
    if arguments.dry_run:
        return _dry_run(request, arguments.config_verbose)
    with ExitStack() as stack:
        api = None if arguments.inline else stack.enter_context(prefect_api())
        plan = prepare(request)
        stack.enter_context(run_logs(plan.values, debug=request.debug))
        show_findings(plan.findings)
        if arguments.config_verbose:
            show_config(plan)
        with open_run(plan) as run, interruptible(run):
            say(f"run folder: {run.folder.root}")
            with show_progress(run.progress, enabled=not arguments.no_progress):
                _run_stages(run, api)
        _show_outcome(run, continuation(program, run, inline=arguments.inline))
        return run.exit_status


def request_of(arguments: argparse.Namespace) -> RunRequest:
    """The request that the arguments describe."""
    names = RunRequest.model_fields.keys() & vars(arguments).keys()
    return RunRequest.model_validate({name: value for name in names if (value := getattr(arguments, name)) is not None})


def _dry_run(request: RunRequest, config_verbose: bool) -> int:
    plan = make_plan(request)
    if config_verbose:
        show_config(plan)
    return show_plan(plan)


def _run_stages(run: Run, api: RunApi | None) -> None:
    if api is None or not api.ready():
        run_inline(run)
        return
    from flows.eval import run_with_prefect

    try:
        run_with_prefect(run)
    except Exception:
        if run.stop.is_set() or api.answers():
            raise
        say("the Prefect server is gone; the run goes on without it")
        run.begin_again()
        run_inline(run)


def _show_outcome(run: Run, command: str) -> None:
    if run.summary is not None:
        out.print(run.summary.text, markup=False)
        say(f"summary: {run.summary.paths.text}")
    for pair, reason in run.failures.items():
        say(f"failed: {pair.model}/{pair.dataset}: {reason}")
    if run.stop.is_set():
        say("interrupted: everything answered is saved")
    if run.exit_status:
        say(f"to go on:  {command}")
