"""What `--station-path` may be: a folder, the URL of a database, or the name of a saved block."""

from pathlib import Path
from urllib.parse import urlsplit

from tasks.spec.findings import Finding, UserError, nearest
from tasks.spec.secrets.names import mask_shapes, url_secrets

BLOCK = "block"
_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg", "postgres": "postgresql+asyncpg"}
_FILES = (".db", ".sqlite", ".sqlite3")
_REMEDY = "write the path of a folder, sqlite:////path/to/file.db, or postgresql://user@host/database"


def is_database(address: str) -> bool:
    """Whether the address is that of a database, rather than a folder's."""
    return "://" in address


def block_name(address: str) -> str | None:
    """The name of the saved block that `block://NAME` stands for."""
    scheme, separator, name = address.partition("://")
    return name if separator and scheme == BLOCK else None


def driver_url(address: str) -> str:
    """The URL for SQLAlchemy, with one of the drivers that come with Compass; UserError for any other database."""
    scheme = address.partition("://")[0]
    rest = address[len(scheme) :]
    if scheme in _DRIVERS:
        return _DRIVERS[scheme] + rest
    if scheme in _DRIVERS.values():
        return address
    raise UserError(Finding(f"a station cannot be at {scheme}://…", remedy=nearest(scheme, _DRIVERS) or _REMEDY))


def address_findings(address: str) -> list[Finding]:
    """What is wrong with the address itself."""
    if not is_database(address):
        if Path(address).suffix in _FILES:
            remedy = f"if it is a database of SQLite: sqlite:///{address}"
            return [Finding(f"--station-path: {address} looks like a file, not like a folder", remedy=remedy)]
        return []
    try:
        driver_url(address)
        parts = urlsplit(address)
        whole = parts.path.strip("/") and (parts.scheme.startswith("sqlite") or parts.hostname)
    except UserError as error:
        return list(error.findings)
    except ValueError:  # brackets or a port that cannot be
        whole = ""
    return [] if whole else [Finding(f"--station-path: {shown(address)} names no database", remedy=_REMEDY)]


def shown(address: str) -> str:
    """The address as people may see it: without user, password and keys."""
    for secret in url_secrets(address):
        address = address.replace(secret, "***")
    return mask_shapes(address)
