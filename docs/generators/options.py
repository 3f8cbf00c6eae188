"""Pages of command line options and run parameters."""

import argparse
import inspect
import re
from collections.abc import Sequence
from typing import Any

from docs.generators.markdown import code, page, table
from flows.terminal import cli
from flows.terminal.cli import build_parser
from flows.terminal.tools import TOOLS, run_tool
from tasks.plan.request import CustomData, HFModel, RunRequest

_READS = "parse_args"
_BY_ITSELF = ("positional arguments", "options")


class _Built(Exception):
    """A way out, no error: carries the parser of a tool out of its `main`."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self.parser = parser


def options_page() -> str:
    """`compass` and its sub-commands."""
    tools = [
        f"## compass {name}\n\n{text[0].upper()}{text[1:]}.\n\n{_tables(_tool_parser(name))}"
        for name, (_, text) in TOOLS.items()
    ]
    how = "Options take precedence over the configuration unless stated otherwise. Long options can be shortened."
    return page("Options", how, _exit_statuses(), "## compass", _tables(build_parser("compass")), *tools)


def _exit_statuses() -> str:
    """As the text of the command line says them."""
    said = re.search(r"^Exit status: (.*)\.$", inspect.getdoc(cli) or "", re.MULTILINE)
    assert said is not None
    rows = [(code(number), meaning) for number, meaning in re.findall(r"(\d+) ([^,]+)", said[1])]
    return f"## Exit status\n\n{table(('status', ''), rows)}"


def _tool_parser(name: str) -> argparse.ArgumentParser:
    """The parser that a tool builds, caught as it is about to read its arguments."""

    def stop(parser: argparse.ArgumentParser, *_: Any, **__: Any) -> Any:
        raise _Built(parser)

    original = argparse.ArgumentParser.parse_args
    setattr(argparse.ArgumentParser, _READS, stop)
    try:
        run_tool(name, [])
    except _Built as built:
        return built.parser
    finally:
        setattr(argparse.ArgumentParser, _READS, original)
    raise RuntimeError(f"compass {name} reads no arguments")


def _tables(parser: argparse.ArgumentParser) -> str:
    """One table per group; one for all where argparse made the groups by itself."""
    groups = [group for group in parser._action_groups if _shown(group._group_actions)]
    if all(group.title in _BY_ITSELF for group in groups):
        return _table([action for group in groups for action in group._group_actions])
    return "\n\n".join(f"**{group.title}**\n\n{_table(group._group_actions)}" for group in groups)


def _table(actions: Sequence[argparse.Action]) -> str:
    return table(("option", ""), [_row(action) for action in _shown(actions)])


def _shown(actions: Sequence[argparse.Action]) -> list[argparse.Action]:
    return [action for action in actions if action.help != argparse.SUPPRESS and action.dest != "help"]


def _row(action: argparse.Action) -> tuple[str, str]:
    value = action.metavar or (", ".join(map(str, action.choices)) if action.choices else "")
    if isinstance(value, tuple):
        value = " ".join(value)
    if not action.option_strings:
        return code(str(value or action.dest)), _help(action)
    choices = "" if action.metavar or not action.choices else f" Choices: {value}."
    shown = f" {value}" if action.metavar and action.nargs != 0 else ""
    return code(", ".join(action.option_strings) + shown), f"{_help(action)}{choices}"


def _help(action: argparse.Action) -> str:
    choices = ", ".join(map(str, action.choices or ()))
    return (action.help or "") % {**vars(action), "choices": choices, "prog": "compass"}


def parameters_page() -> str:
    """The request: what `evaluate()` and the deployments take."""
    how = "`flows.evaluate.evaluate(…)`, Prefect deployments (`--param name=value`) and forms take these parameters."
    hf = "## `hf`\n\nA Hugging Face model, instead of names:"
    custom = "## `custom`\n\nA file of questions, in addition to or instead of names:"
    return page("Run parameters", how, _fields(RunRequest), hf, _fields(HFModel), custom, _fields(CustomData))


def _fields(model: Any) -> str:
    rows = [
        (code(name), "" if field.is_required() else code(repr(field.default)), field.description or "")
        for name, field in model.model_fields.items()
    ]
    return table(("name", "default", ""), rows)
