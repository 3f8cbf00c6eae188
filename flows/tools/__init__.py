"""The sub-commands of `compass`."""

from collections.abc import Sequence
from importlib import import_module

TOOLS: dict[str, tuple[str, str]] = {
    "server": ("flows.tools.server_command", "the local Prefect server: status, env, up, down"),
}
"""Name → module with `main(argv) -> int`, and a line of help."""


def run_tool(name: str, argv: Sequence[str]) -> int:
    """Runs a sub-command and returns its exit status."""
    return import_module(TOOLS[name][0]).main(argv)
