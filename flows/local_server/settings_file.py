"""What a team wants of the server: settings of Prefect's in a file, such as a database, a password, an address."""

from collections.abc import Mapping
from pathlib import Path

from tasks.spec.findings import Finding, Place, UserError

DATABASE = "PREFECT_SERVER_DATABASE_CONNECTION_URL"
AUTH_STRING = "PREFECT_SERVER_API_AUTH_STRING"
_HOST, _PORT, _PAGES = "PREFECT_SERVER_API_HOST", "PREFECT_SERVER_API_PORT", "PREFECT_UI_API_URL"
_EVERYWHERE = ("0.0.0.0", "::", "")  # noqa: S104 names of what a user may give
_LOOPBACK = "127.0.0.1"


def given_settings(link: Path) -> dict[str, str]:
    """The settings, by their environment variables, in the file that `link` leads to; none if there is no link.

    UserError if its file is gone.
    """
    if not link.is_symlink():
        return {}
    from dotenv import dotenv_values

    path = link.readlink()
    if not path.is_file():
        remedy = "bring it back, or forget it by `compass server down`"
        raise UserError(Finding("the server's settings are gone", Place(str(path)), remedy))
    return {name: value for name, value in dotenv_values(path, interpolate=False).items() if value is not None}


def set_settings(link: Path, path: Path) -> None:
    """Has the next server started with the settings in the file `path`; UserError if they cannot work."""
    path = path.expanduser().absolute()
    if not path.is_file():
        raise UserError(Finding("there is no such file", Place(str(path))))
    temporary = link.with_name(f"{link.name}.new")
    temporary.unlink(missing_ok=True)
    temporary.symlink_to(path)
    try:
        findings = _findings(path, given_settings(temporary))
        if findings:
            raise UserError(findings)
        temporary.replace(link)
    finally:
        temporary.unlink(missing_ok=True)


def host(settings: Mapping[str, str]) -> str:
    """Where this machine reaches the server."""
    given = settings.get(_HOST, _LOOPBACK)
    return _LOOPBACK if given in _EVERYWHERE else given


def fixed_port(settings: Mapping[str, str]) -> int | None:
    """The port that the server must have."""
    return int(settings[_PORT]) if _PORT in settings else None


def _findings(path: Path, settings: Mapping[str, str]) -> list[Finding]:
    findings: list[Finding] = []

    def bad(key: str, message: str, remedy: str) -> None:
        findings.append(Finding(message, Place(str(path), key=key), remedy))

    if path.stat().st_mode & 0o077:
        findings.append(Finding("others can read the passwords in it", Place(str(path)), f"chmod 600 {path}"))
    for name in settings:
        if not name.startswith("PREFECT_"):
            bad(name, f"{name} is no setting of Prefect's", "models' keys belong into the worker's environment")
    if DATABASE in settings and not settings[DATABASE].startswith(("postgresql+asyncpg://", "sqlite+aiosqlite://")):
        bad(
            DATABASE,
            "Prefect does not know this kind of database",
            "write postgresql+asyncpg://USER:PASSWORD@HOST/NAME",
        )
    if AUTH_STRING in settings and ":" not in settings[AUTH_STRING].strip(":"):
        bad(AUTH_STRING, "user and password are separated by a colon", "write team:PASSWORD")
    if not settings.get(_PORT, "1").isdecimal():
        bad(_PORT, f"{settings[_PORT]!r} is no port", "write 4200")
    if settings.get(_HOST) in _EVERYWHERE and _PAGES not in settings:
        bad(_PAGES, "browsers would call the API at 0.0.0.0", f"add {_PAGES}=http://THIS-MACHINE:PORT/api")
    return findings
