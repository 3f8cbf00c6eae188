"""What `compass` does with its arguments."""

import argparse
import os
import shlex
import sys
from contextlib import ExitStack
from importlib.util import find_spec
from pathlib import Path

from flows.inline import run_inline
from flows.output.console import out, say, show_findings, show_progress
from flows.output.log_setup import run_logs
from flows.prefect_api.connection import RunApi, prefect_api
from flows.preparation.prepare import plan_request, prepare
from flows.run.engine_errors import is_of_engine
from flows.run.interrupts import LastMoment, interruptible
from flows.run.run import Run, open_run
from flows.terminal.plan_view import show_config, show_plan
from flows.terminal.request_building import request_of
from flows.terminal.resume_command import continuation
from tasks.plan.request import RunRequest
from tasks.spec.findings import UserError
from tasks.spec.storage.disk import disk_problem, is_disk_problem


def run_command(arguments: argparse.Namespace, program: str) -> int:
    """Runs what the arguments ask for and returns the exit status; UserError for bad input, unless it is to be JSON."""
    if not arguments.json:
        return _follow(arguments, program)
    try:
        return _follow(arguments, program)
    except UserError as error:
        from flows.terminal.json_output import print_errors

        return print_errors(error)


def _follow(arguments: argparse.Namespace, program: str) -> int:
    request = request_of(arguments)
    if arguments.dry_run:
        return _dry_run(request, arguments)
    if request.preflight:
        return _preflight(request)
    if arguments.dump_only_message_path:
        from flows.terminal.message_dump import dump_messages

        return dump_messages(prepare(request), Path(arguments.dump_only_message_path))
    return _run(request, arguments, program)


def _preflight(request: RunRequest) -> int:
    from flows.preflight_run import run_preflight

    return run_preflight(request)


def _run(request: RunRequest, arguments: argparse.Namespace, program: str) -> int:
    with ExitStack() as stack:
        api = None if arguments.inline else stack.enter_context(prefect_api())
        plan = prepare(request)
        if plan.request.preflight:
            return _preflight(plan.request)
        stack.enter_context(run_logs(plan.values, debug=plan.request.debug))
        show_findings(plan.findings)
        _say_whose_classes(plan.request)
        if arguments.config_verbose:
            show_config(plan)
        with open_run(plan) as run:
            command = continuation(program, run, inline=arguments.inline)
            last_moment = LastMoment(lambda: _show_outcome(run, command, program, as_json=arguments.json), command)
            stack.callback(last_moment.ended.set)
            say(f"run folder: {run.folder.root}")
            with interruptible(run, say, last_moment), show_progress(run.progress, enabled=not arguments.no_progress):
                _run_to_disk(run, api)
        _show_outcome(run, command, program, as_json=arguments.json)
    if api is not None and api.lost:
        _leave_at_once(run.exit_status)
    return run.exit_status


def _leave_at_once(status: int) -> None:
    """Ends the process without its exit handlers: Prefect's would try for minutes to send events to the lost server."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _say_whose_classes(request: RunRequest) -> None:
    """Where OpenCompass is installed, two packages can have a class of the same name."""
    if find_spec("opencompass") is not None:
        ours, theirs = "Compass's own", "OpenCompass's"
        first, second = (theirs, ours) if request.prefer == "opencompass" else (ours, theirs)
        say(f"loaders, evaluators and post-processors: {first}, and {second} where there are none")


def _dry_run(request: RunRequest, arguments: argparse.Namespace) -> int:
    plan = plan_request(request)
    if arguments.config_verbose:
        show_config(plan)
    if not arguments.json:
        return show_plan(plan)
    from flows.terminal.json_output import print_plan

    return print_plan(plan)


def _run_to_disk(run: Run, api: RunApi | None) -> None:
    """A disk that takes no more ends the run, not the program: what was written is told as always."""
    try:
        _run_stages(run, api)
    except OSError as error:
        if not is_disk_problem(error):
            raise
        run.error = error


def _run_stages(run: Run, api: RunApi | None) -> None:
    if api is None or not api.ready(run.stop):
        run_inline(run)
        return
    run.observer.open()
    from flows.eval import run_with_prefect

    try:
        with api.watched(run.engine_lost.set):
            run_with_prefect(run)
    except Exception as error:
        if run.stop.is_set() or (not (api.lost or is_of_engine(error)) and api.answers()):
            raise
        say("the Prefect server is gone; the run goes on without it")
        api.lost = True
        run.begin_again()
        run_inline(run)


def _show_outcome(run: Run, command: str, program: str, *, as_json: bool) -> None:
    try:
        _print_outcome(run, as_json=as_json)
    except OSError as error:
        run.error = error
    if run.summary is not None:
        say(f"summary: {run.summary.paths.text}")
        for path in run.summary.more:
            say(f"         {path}")
    _show_failures(run)
    if run.stop.is_set():
        say("interrupted: everything answered is saved")
    if run.exit_status:
        say(f"to go on:  {command}")
    elif run.summary is not None and find_spec("jinja2") is not None:
        say(f"answers: {program} view {shlex.quote(str(run.folder.root))}")


def _print_outcome(run: Run, *, as_json: bool) -> None:
    if as_json:
        from flows.terminal.json_output import print_outcome

        print_outcome(run)
    elif run.summary is not None:
        out.print(run.summary.text, markup=False)


def _show_failures(run: Run) -> None:
    for pair, reason in run.failures.items():
        say(f"failed: {pair.model}/{pair.dataset}: {reason}")
    for line in run.kept.lines() if run.kept else ():
        say(line)
    if run.station_failure:
        say(f"failed: {run.station_failure}")
    if isinstance(run.error, OSError):
        say(f"failed: {disk_problem(run.error)}")
