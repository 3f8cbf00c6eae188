"""Short names that an installed OpenCompass registers, found in its source text: the package is not imported."""

import importlib.util
import re
from functools import cache
from pathlib import Path

_PACKAGE = "opencompass"
_REGISTERED = re.compile(
    r"^@\w+\.register_module\((?:(?:name\s*=\s*)?['\"]([^'\"]+)['\"])?[^)]*\)\s*\n"
    r"(?:@.*\n)*(?:class|def)\s+(\w+)",
    re.MULTILINE,
)
_LEFT_OUT = ("configs", "__pycache__")


def installed_path(name: str) -> str | None:
    """Dotted path of what OpenCompass registers under a name, or calls so; None if there is none, or no package."""
    return _registered().get(name)


@cache
def _registered() -> dict[str, str]:
    spec = importlib.util.find_spec(_PACKAGE)
    roots = list(spec.submodule_search_locations or ()) if spec else []
    names: dict[str, str] = {}
    for root in map(Path, roots):
        for file in sorted(root.rglob("*.py")):
            parts = file.relative_to(root).with_suffix("").parts
            if not any(part in _LEFT_OUT for part in parts):
                names |= _names_in(file, ".".join((_PACKAGE, *(part for part in parts if part != "__init__"))))
    return names


def _names_in(file: Path, module: str) -> dict[str, str]:
    text = file.read_text(encoding="utf-8", errors="replace")
    found = {(alias, name) for alias, name in _REGISTERED.findall(text)}
    return {key: f"{module}.{name}" for alias, name in found for key in (alias, name) if key}
