"""What a word on the command line that means nothing was likely meant to be."""

import argparse
import re
from collections.abc import Sequence
from pathlib import PurePath

from flows.terminal.tools import TOOLS
from tasks.spec.findings import Finding, UserError, closest, did_you_mean, nearest

_COMMAND = re.compile(r"[a-z]+([-_][a-z]+)*")
_OPTION = re.compile(r"--[a-z][a-z-]+")
_OPENCOMPASS_TOOLS = {
    "case_analyzer": "cases",
    "collect_code_preds": "collect-code",
    "compare_configs": "compare-configs",
    "list_configs": "list",
    "prediction_merger": "merge",
    "prompt_viewer": "prompt",
    "test_api_model": "check-api",
}
"""Programs in OpenCompass's folder `tools`, and the commands that do the same."""


def parse(parser: argparse.ArgumentParser, argv: Sequence[str]) -> argparse.Namespace:
    """As the parser's own `parse_args`; what it does not know is told with the options closest to it."""
    arguments, unknown = parser.parse_known_args(argv)
    if unknown:
        option = next((word.partition("=")[0] for word in unknown if word.startswith("--")), "")
        names = [name.removeprefix("--") for name in set(_OPTION.findall(parser.format_help()))]
        close = did_you_mean(f"--{name}" for name in closest(option.removeprefix("--"), names)) if option else ""
        parser.error(f"unrecognized arguments: {' '.join(unknown)}{close and f'; {close}'}")
    return arguments


def check_command(word: str) -> None:
    """UserError where `word` is neither a file nor a sub-command, though it looks like one of these.

    OpenCompass's tools are known by their names, with or without a path and `.py`.
    """
    from tasks.plan.source.configuration import config_path

    tool = _OPENCOMPASS_TOOLS.get(PurePath(word).stem)
    if word in TOOLS or not (tool or _COMMAND.fullmatch(word)) or config_path(word).exists():
        return
    if tool:
        raise UserError(Finding(f"{word} is a tool of OpenCompass", remedy=f"here it is `compass {tool}`"))
    remedy = nearest(word, TOOLS) or "`compass --help` shows the commands"
    raise UserError(Finding(f"there is neither a command nor a configuration file {word!r}", remedy=remedy))
