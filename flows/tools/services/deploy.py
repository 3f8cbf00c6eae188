"""`compass deploy`: the deployments on a Prefect server, and a worker that runs them."""

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

from flows.local_server.health import call, check_api
from flows.local_server.prefect_settings import ApiAddress
from flows.output.console import say
from flows.prefect_api.server import find_api, give_settings, start_own_server, use
from flows.tools.services.server import SETTINGS_HELP
from tasks.spec.findings import Finding, UserError

_POOL = "compass"
_FILE = "prefect.yaml"
_WORKER_SETTINGS = {"PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "INFO", "PREFECT_CLIENT_MAX_RETRIES": "10"}
"""Unlike a run of `compass`, a worker shows what happens, and waits for a server that restarts."""
_DESCRIPTION = """\
Registers the deployments of Compass on the Prefect server that is configured, else on the local one, which is started
to stay. The current folder is where workers will look for data, names and outputs."""


def main(argv: Sequence[str]) -> int:
    """Exit status: 0, or that of the `prefect` command that failed. UserError if there is no server."""
    arguments = _parser().parse_args(argv)
    address = _server(arguments.settings)
    for name, value in _WORKER_SETTINGS.items():
        os.environ.setdefault(name, value)
    with use(address):
        _use_this_package()
        if arguments.work_dir:
            os.environ["COMPASS_WORK_DIR"] = str(Path(arguments.work_dir).expanduser().resolve())
        status = _create_pool(address) or _prefect(
            "--no-prompt", "deploy", "--all", "--prefect-file", str(arguments.prefect_file or deployments_file())
        )
        if status:
            return status
        say(f"deployments: {address.ui_url}/deployments{'  (its password: compass server)' if address.own else ''}")
        if arguments.worker:
            say("a worker for them starts; Ctrl-C ends it")
            os.execv(sys.executable, [*_PREFECT, "worker", "start", "--pool", _POOL])
    settings = 'eval "$(compass server env)"; ' if address.own else ""
    say(f"a worker:    {settings}prefect worker start --pool {_POOL}")
    return 0


def deployments_file() -> Path:
    """The packaged description of the deployments."""
    spec = find_spec("deployments")
    folders = list(spec.submodule_search_locations or ()) if spec else []
    return Path(folders[0]) / _FILE


_PREFECT = (sys.executable, "-P", "-m", "prefect")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="compass deploy", description=_DESCRIPTION)
    parser.add_argument("--worker", action="store_true", help="then be a worker for them, until Ctrl-C")
    parser.add_argument("-w", "--work-dir", metavar="DIR", help="parent folder of the runs (./outputs/default)")
    parser.add_argument("--settings", type=Path, metavar="FILE", help=f"start the server here with {SETTINGS_HELP}")
    parser.add_argument("--prefect-file", metavar="FILE", help="your own copy of the deployments' description")
    return parser


def _server(settings: Path | None) -> ApiAddress:
    configured = find_api() if settings is None else None
    if configured is not None:
        check_api(configured)
        return configured
    if settings is not None:
        give_settings(settings)
    say("looking for the local Prefect server; where there is none, its start takes up to a minute or two")
    with start_own_server(permanent=True) as server:
        address = server.wait()
        if address is None:
            raise UserError(Finding(server.problem))
    return address


def _use_this_package() -> None:
    """Lets `prefect` and its flows import Compass from a checkout that is not installed."""
    checkout = Path(__file__).parents[3]
    if (checkout / "pyproject.toml").exists():
        os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, [str(checkout), os.environ.get("PYTHONPATH")]))


def _create_pool(address: ApiAddress) -> int:
    if call(address, f"/work_pools/{_POOL}").status == 200:
        return 0
    return _prefect("work-pool", "create", _POOL, "--type", "process")


def _prefect(*arguments: str) -> int:
    """Runs a `prefect` command; what it says is shown only if it failed."""
    done = subprocess.run(
        [*_PREFECT, *arguments], text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
    )
    if done.returncode:
        say(done.stdout)
    return done.returncode
