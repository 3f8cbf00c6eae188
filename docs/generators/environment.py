"""The page of environment variables, and the search that finds those which the code reads."""

import re
import tomllib
from pathlib import Path

from docs.generators.markdown import code, page, table

_ROOT = Path(__file__).parents[2]
_READ = re.compile(
    r"""(?:environ(?:\.get|\.setdefault|\.pop)?[\[(]|getenv\(|environment\.get\(|monkey\w*\()\s*["']([A-Z][A-Z0-9_]+)["']"""
)
_NAMED = re.compile(r"""["']((?:COMPASS|OC|HF|LARK|SLACK|OPENAI|ANTHROPIC|GEMINI|GOOGLE)_[A-Z0-9_]*[A-Z0-9])["']""")
_HOW = "Variables that Compass reads or sets. Jobs on clusters receive the variables that they need."


def environment_page() -> str:
    """One table per purpose."""
    sections = tomllib.loads(Path(__file__).with_name("environment.toml").read_text(encoding="utf-8"))
    parts = [
        f"## {title}\n\n{table(('variable', ''), [(code(n), text) for n, text in names.items()])}"
        for title, names in sections.items()
    ]
    return page("Environment variables", _HOW, *parts)


def explained() -> set[str]:
    """The variables of the page."""
    sections = tomllib.loads(Path(__file__).with_name("environment.toml").read_text(encoding="utf-8"))
    return {name for names in sections.values() for name in names}


def variables_read() -> set[str]:
    """Names of variables that stand in the code as such."""
    found: set[str] = set()
    for folder in ("flows", "tasks", "blocks", "configs"):
        for path in (_ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            found |= set(_READ.findall(text)) | set(_NAMED.findall(text))
    return found
