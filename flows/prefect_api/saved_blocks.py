"""What is read from the Prefect server before a run begins: the blocks that people saved under a name."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import fields

from flows.local_server.health import is_up
from flows.local_server.start import own_address
from flows.local_server.state import server_files
from flows.prefect_api.server import find_api, use
from tasks.plan.request import RunRequest, SavedRunner
from tasks.plan.runners import runner_type
from tasks.spec.findings import Finding, UserError


@contextmanager
def reading_blocks(names: str, instead: str) -> Iterator[None]:
    """While the block runs, Prefect's client speaks to the configured server, or to the local one.

    UserError if none answers; `instead` is what people may do without one.
    """
    if "prefect" in sys.modules:
        yield
        return
    address = find_api(os.environ) or own_address(server_files(os.environ))
    if address is None or not is_up(address):
        message = f"no Prefect server answers that could hold the blocks {names}"
        raise UserError(Finding(message, remedy=f"start one (`compass server up`), or {instead}"))
    with use(address):
        yield


def with_saved_runner(request: RunRequest) -> RunRequest:
    """The request with the runner of the saved block that `--runner` names; UserError if it names neither."""
    name = request.runner
    if name is None or request.saved_runner is not None:
        return request
    try:
        runner_type(name)
    except UserError as unknown:
        try:
            saved = _load(name)
        except UserError as error:
            raise UserError([*unknown.findings, *error.findings]) from None
        return request.on(saved)
    return request


def _load(name: str) -> SavedRunner:
    with reading_blocks(name, "name a kind of runner"):
        from blocks.clusters.block import load_runner

        runner = load_runner(name)
    kind = type(runner)
    given = {item.name: value for item in fields(kind) if (value := getattr(runner, item.name)) != item.default}
    return SavedRunner(type=f"{kind.__module__}.{kind.__name__}", arguments=given)
