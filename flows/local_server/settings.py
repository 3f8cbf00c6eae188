"""The environment of the local server and of the runs that use it."""

import os
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

from flows.local_server.automation import HEARTBEAT_S
from flows.local_server.prefect_settings import ApiAddress
from flows.local_server.state import ServerFiles

_KEPT = (
    *("HOME", "USER", "LOGNAME", "LANG", "TZ", "TMPDIR", "SSL_CERT_FILE"),
    *("PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "VIRTUAL_ENV"),
)
_KEPT_ENDINGS = ("_PROXY",)
_KEPT_STARTS = ("LC_",)
_LOOPBACK = "127.0.0.1"


def keeper_environment(environ: Mapping[str, str]) -> dict[str, str]:
    """What keeper and server get of a run's environment: no key of a model, no Prefect setting of the user."""
    kept = {name: value for name, value in environ.items() if _is_kept(name.upper())}
    checkout = Path(__file__).parents[2]
    if (checkout / "pyproject.toml").exists():
        # Used from a checkout, we must be found there whatever else is installed.
        kept["PYTHONPATH"] = os.pathsep.join(filter(None, [str(checkout), kept.get("PYTHONPATH")]))
    return kept


def server_settings(files: ServerFiles, port: int, auth_string: str) -> dict[str, str]:
    """Prefect's settings of the local server."""
    return {
        "PREFECT_HOME": str(files.home),
        "PREFECT_PROFILES_PATH": str(files.home / "profiles.toml"),
        "PREFECT_SERVER_API_HOST": _LOOPBACK,
        # Not `--port`: with it the pages would call the default port.
        "PREFECT_SERVER_API_PORT": str(port),
        "PREFECT_SERVER_API_AUTH_STRING": auth_string,
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
        # Else the pages are unpacked into the installed package, which may not be writable.
        "PREFECT_SERVER_UI_STATIC_DIRECTORY": str(files.home / "ui"),
        "PREFECT_SERVER_UI_SHOW_PROMOTIONAL_CONTENT": "false",
        "PREFECT_SERVER_EVENTS_RETENTION_PERIOD": "P7D",
        "PREFECT_SERVER_SERVICES_DB_VACUUM_ENABLED": "events,flow_runs",
        "PREFECT_SERVER_SERVICES_DB_VACUUM_RETENTION_PERIOD": str(90 * 24 * 3600),
    }


def run_settings(address: ApiAddress, files: ServerFiles, environ: Mapping[str, str]) -> dict[str, str | None]:
    """Prefect's settings of a run that reports to that API; None is a variable to remove."""
    defaults: dict[str, str | None] = {
        "PREFECT_FLOWS_HEARTBEAT_FREQUENCY": str(HEARTBEAT_S),
        # The engine's log goes to the server; the run itself tells what failed, in a line instead of a traceback.
        "PREFECT_LOGGING_HANDLERS_CONSOLE_LEVEL": "CRITICAL",
        "PREFECT_LOGGING_TO_API_WHEN_MISSING_FLOW": "ignore",
        # About 15 s per call: long enough for a server to come back, short enough to go on without one.
        "PREFECT_CLIENT_MAX_RETRIES": "3",
        # What a server answers whose database has gone for a moment.
        "PREFECT_CLIENT_RETRY_EXTRA_CODES": "500",
    }
    settings = {name: value for name, value in defaults.items() if name not in environ}
    settings |= {
        "PREFECT_API_URL": address.url,
        "PREFECT_SERVER_ALLOW_EPHEMERAL_MODE": "false",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "DO_NOT_TRACK": "1",
    }
    if address.own:
        no_proxy = ",".join(
            filter(None, [environ.get("no_proxy") or environ.get("NO_PROXY"), urlsplit(address.url).hostname])
        )
        settings |= {
            "PREFECT_API_AUTH_STRING": address.auth_string,
            "PREFECT_API_KEY": None,
            "PREFECT_HOME": str(files.client_home),
            "PREFECT_PROFILES_PATH": str(files.client_home / "profiles.toml"),
            # It speaks no TLS; else each of a run's dozen clients would read a hundred authorities.
            "PREFECT_API_SSL_CERT_FILE": str(files.authority),
            "no_proxy": no_proxy,
            "NO_PROXY": no_proxy,
        }
    return settings


def cli_settings(address: ApiAddress) -> dict[str, str]:
    """What the `prefect` command needs to speak to our own server."""
    return {"PREFECT_API_URL": address.url, "PREFECT_API_AUTH_STRING": address.auth_string or "", "DO_NOT_TRACK": "1"}


def _is_kept(name: str) -> bool:
    return name in _KEPT or name.startswith(_KEPT_STARTS) or name.endswith(_KEPT_ENDINGS)
