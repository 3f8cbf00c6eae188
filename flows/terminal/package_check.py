"""Makes sure that the packages of this product are its own: their names are common, and another `tasks` may win."""

import importlib.util
from pathlib import Path

from tasks.spec.findings import Finding, FindingKind, UserError

_PACKAGES = ("flows", "tasks", "blocks", "configs", "deployments")


def check_one_place() -> None:
    """UserError if one of the five packages is missing or comes from elsewhere."""
    home = Path(__file__).resolve().parents[2]
    for name in _PACKAGES:
        found = _folder(name)
        if found is None or found.parent != home:
            where = f"is taken from {found}" if found else "is missing"
            raise UserError(
                Finding(
                    f"the package {name!r} {where}, not from {home}",
                    remedy="use the command `compass` from outside that folder, or a virtual environment of its own",
                    kind=FindingKind.MACHINE,
                )
            )


def _folder(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    locations = list(spec.submodule_search_locations or ()) if spec else []
    return Path(locations[0]).resolve() if locations else None
