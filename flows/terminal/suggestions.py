"""What a word on the command line that means nothing was likely meant to be."""

import argparse
import re
from collections.abc import Sequence

from flows.terminal.tools import TOOLS
from tasks.spec.findings import Finding, UserError, nearest

_COMMAND = re.compile(r"[a-z]+(-[a-z]+)*")
_OPTION = re.compile(r"--[a-z][a-z-]+")


def parse(parser: argparse.ArgumentParser, argv: Sequence[str]) -> argparse.Namespace:
    """As the parser's own `parse_args`; what it does not know is told with the options closest to it."""
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        option = next((word.partition("=")[0] for word in unknown if word.startswith("--")), "")
        close = nearest(option, set(_OPTION.findall(parser.format_help()))) if option else ""
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{close and f'; {close}'}")
    return arguments


def check_command(word: str) -> None:
    """UserError where `word` is neither a file nor a sub-command, though it looks like one of these."""
    from tasks.plan.source.configuration import config_path

    if word in TOOLS or not _COMMAND.fullmatch(word) or config_path(word).exists():
        return
    remedy = nearest(word, TOOLS) or "`compass --help` shows the commands"
    raise UserError(Finding(f"there is neither a command nor a configuration file {word!r}", remedy=remedy))
