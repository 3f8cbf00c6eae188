"""The command line: from arguments to a request, and from the outcome to an exit status.

Exit status: 0 all well, 1 something failed, 2 bad input, 130 interrupted.
"""

import argparse
import atexit
import gc
import io
import sys
from collections.abc import Sequence

from rich_argparse import RawDescriptionRichHelpFormatter

from flows.output.standard_streams import flushed_output, naming_output
from flows.terminal.arguments import add_arguments
from flows.terminal.package_check import check_one_place
from flows.terminal.suggestions import check_command, parse
from flows.terminal.tools import TOOLS, run_tool
from tasks.spec.findings import UserError
from tasks.spec.storage.disk import disk_problem, is_disk_problem

_OBJECTS_BETWEEN_COLLECTIONS = 10_000
_DESCRIPTION = """\
Evaluates language models: predictions, scores and a summary table.

  compass my_eval.py                              run a configuration file
  compass my_eval.py --dry-run                    show what would be done
  compass my_eval.py --reuse                      go on with the newest run
  compass --models NAME… --datasets NAME…         run named configs"""


def main(argv: Sequence[str] | None = None, program: str = "compass") -> int:
    """Runs the command line and returns the exit status."""
    argv = list(sys.argv[1:] if argv is None else argv)
    _take_any_text()
    try:
        with flushed_output():
            return _called(argv, program)
    except UserError as error:
        from flows.output.console import show_error

        show_error(error)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1
    except OSError as error:
        if not is_disk_problem(error):
            raise
        from flows.output.console import show_error

        show_error(UserError(disk_problem(error)))
        return 1


def _called(argv: list[str], program: str) -> int:
    check_one_place()
    if argv and argv[0] in TOOLS:
        return run_tool(argv[0], argv[1:])
    with naming_output():  # it may show help
        arguments = parse(build_parser(program), argv)
    if arguments.config:
        check_command(arguments.config)
    _spare_collector()
    from flows.terminal.command import run_command

    return run_command(arguments, program)


def _take_any_text() -> None:
    """What the terminal's encoding does not know is shown by its number, where Python would end the run."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _spare_collector() -> None:
    """Searches for garbage less often, and not at the end: most of what a run creates is imported code, which stays."""
    gc.set_threshold(_OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)


class _HelpFormatter(RawDescriptionRichHelpFormatter):
    """Shows the headings of groups as they are written, not in title case."""

    group_name_formatter = str


def build_parser(program: str) -> argparse.ArgumentParser:
    """Unambiguous prefixes of long options are accepted."""
    tools = "\n".join(f"  compass {name:<16} {help_text}" for name, (_, help_text) in TOOLS.items())
    parser = argparse.ArgumentParser(
        prog=program,
        usage="%(prog)s [CONFIG] [options]",
        description=_DESCRIPTION,
        epilog=f"Tools:\n{tools}",
        formatter_class=_HelpFormatter,
    )
    add_arguments(parser)
    return parser


if __name__ == "__main__":
    sys.exit(main())
