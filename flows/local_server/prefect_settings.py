"""Which Prefect API this user configured, read from where Prefect 3.9 reads it but without importing Prefect."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit, urlunsplit

from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.storage.json_text import parse_json

_TRUE = ("1", "true", "t", "yes", "y", "on")


@dataclass(frozen=True)
class ApiAddress:
    """A Prefect API and what a client needs to speak to it."""

    url: str
    """Ends in `/api` for a self-hosted server."""
    auth_string: str | None = field(default=None, repr=False)
    """`user:password`; goes before the key."""
    api_key: str | None = field(default=None, repr=False)
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    ssl_cert_file: str | None = None
    verify_tls: bool = True
    source: str = ""
    """Where the address is set, for messages."""
    own: bool = False
    """It is the local server that Compass started."""

    @property
    def shown_url(self) -> str:
        """The URL without user and password."""
        parts = urlsplit(self.url)
        return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))

    @property
    def ui_url(self) -> str:
        return self.shown_url.removesuffix("/").removesuffix("/api")


class Source(NamedTuple):
    """One place of settings, by the names that environment variables have."""

    label: str
    values: Mapping[str, Any]


def configured_api(environ: Mapping[str, str], folder: Path) -> ApiAddress | None:
    """The API set by the environment, `.env`, `prefect.toml`, `pyproject.toml` or the active profile, in this order.

    `folder` is the current one, where the files are looked for. An empty value means none. UserError for bad files.
    """
    sources = list(_sources(environ, folder))
    found = next((source for source in sources if "PREFECT_API_URL" in source.values), None)
    url = str(found.values["PREFECT_API_URL"]).strip() if found else ""
    if not found or not url:
        return None
    if urlsplit(url).scheme not in ("http", "https"):
        raise UserError(
            Finding(
                f"{url!r} is not the address of a Prefect API",
                Place(found.label, key="PREFECT_API_URL"),
                "expected is something like http://host:4200/api",
            )
        )
    return ApiAddress(
        url=url.rstrip("/"),
        auth_string=_text(sources, "PREFECT_API_AUTH_STRING"),
        api_key=_text(sources, "PREFECT_API_KEY"),
        headers=_headers(_value(sources, "PREFECT_CLIENT_CUSTOM_HEADERS")),
        ssl_cert_file=_text(sources, "PREFECT_API_SSL_CERT_FILE") or environ.get("SSL_CERT_FILE"),
        verify_tls=str(_value(sources, "PREFECT_API_TLS_INSECURE_SKIP_VERIFY")).lower() not in _TRUE,
        source=found.label,
    )


def _sources(environ: Mapping[str, str], folder: Path) -> Iterator[Source]:
    environment = Source("environment", {name.upper(): value for name, value in environ.items()})
    dotenv = _dotenv(folder / ".env")
    prefect_toml = Source("prefect.toml", dict(_flattened(_toml(folder / "prefect.toml"), "PREFECT")))
    tool = _toml(folder / "pyproject.toml").get("tool", {})
    pyproject = Source("pyproject.toml", dict(_flattened(tool.get("prefect", {}), "PREFECT")))
    files = [environment, dotenv, prefect_toml, pyproject]
    yield from files
    yield _profile(environ, folder / _profiles_path(environ, files))


def _profiles_path(environ: Mapping[str, str], files: Sequence[Source]) -> Path:
    path = _text(files, "PREFECT_PROFILES_PATH")
    if path:
        return Path(path)
    return Path(environ.get("PREFECT_HOME") or Path.home() / ".prefect") / "profiles.toml"


def _profile(environ: Mapping[str, str], path: Path) -> Source:
    data = _toml(path)
    name = environ.get("PREFECT_PROFILE") or data.get("active", "")
    values = data.get("profiles", {}).get(name, {})
    return Source(f"profile {name!r} of {path}", values)


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, OSError) as error:
        remedy = "Prefect takes its settings from this file"
        raise UserError(Finding(f"cannot be read: {error}", Place(str(path)), remedy)) from error


def _dotenv(path: Path) -> Source:
    if not path.is_file():
        return Source(".env", {})
    from dotenv import dotenv_values

    return Source(".env", {name.upper(): value for name, value in dotenv_values(path).items() if value is not None})


def _flattened(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        name = f"{prefix}_{key}".upper()
        yield name, value
        if isinstance(value, dict):
            yield from _flattened(cast(dict[str, Any], value), name)


def _value(sources: Sequence[Source], name: str) -> Any:
    return next((source.values[name] for source in sources if name in source.values), None)


def _text(sources: Sequence[Source], name: str) -> str | None:
    return str(_value(sources, name) or "") or None


def _headers(value: Any) -> dict[str, str]:
    try:
        table: Any = parse_json(value) if isinstance(value, str) and value else value or {}
        return {str(name): str(text) for name, text in table.items()}
    except (ValueError, AttributeError) as error:
        message = "PREFECT_CLIENT_CUSTOM_HEADERS is not a JSON object of header names and values"
        raise UserError(Finding(message)) from error
