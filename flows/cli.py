"""The command line: from arguments to a request, and from the outcome to an exit status.

Exit status: 0 all well, 1 something failed, 2 bad input, 130 interrupted.
"""

import argparse
import sys
from collections.abc import Sequence

from rich_argparse import RawDescriptionRichHelpFormatter

from flows.one_place import check_one_place
from flows.tools import TOOLS, run_tool
from tasks.spec.findings import UserError

_DESCRIPTION = """\
Evaluates language models: predictions, scores and a summary table.

  compass my_eval.py                              run a configuration file
  compass my_eval.py --dry-run                    show what would be done
  compass my_eval.py --reuse                      go on with the newest run
  compass --models NAME… --datasets NAME…         run named configs"""


def main(argv: Sequence[str] | None = None, program: str = "compass") -> int:
    """Runs the command line and returns the exit status."""
    argv = list(sys.argv[1:] if argv is None else argv)
    try:
        check_one_place()
        if argv and argv[0] in TOOLS:
            return run_tool(argv[0], argv[1:])
        arguments = build_parser(program).parse_args(argv)
        from flows.command import run_command

        return run_command(arguments, program)
    except UserError as error:
        from flows.console import show_error

        show_error(error)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        return 1


def build_parser(program: str) -> argparse.ArgumentParser:
    """Unambiguous prefixes of long options are accepted."""
    tools = "\n".join(f"  compass {name:<12} {help_text}" for name, (_, help_text) in TOOLS.items())
    parser = argparse.ArgumentParser(
        prog=program,
        description=_DESCRIPTION,
        epilog=f"Tools:\n{tools}",
        formatter_class=RawDescriptionRichHelpFormatter,
    )
    _add_source(parser.add_argument_group("what to evaluate"))
    _add_run(parser.add_argument_group("which run"))
    _add_execution(parser.add_argument_group("how to run it"))
    _add_display(parser.add_argument_group("what to show"))
    return parser


def _add_source(group: argparse._ArgumentGroup) -> None:
    group.add_argument("config", nargs="?", help="configuration file with `models` and `datasets`")
    group.add_argument(
        "--models", nargs="+", default=[], metavar="NAME", help="names of model configs, instead of a file"
    )
    group.add_argument(
        "--datasets", nargs="+", default=[], metavar="NAME", help="names of dataset configs, instead of a file"
    )
    group.add_argument(
        "--summarizer", metavar="NAME", help="name of a summarizer config, beside --models and --datasets"
    )
    group.add_argument("--config-dir", metavar="DIR", help="folder searched for names before the packaged configs")
    group.add_argument("--limit", type=_positive, metavar="N", help="only the first N samples of each dataset")


def _add_run(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "-w",
        "--work-dir",
        metavar="DIR",
        help="parent folder of the runs (default: the config's, else outputs/default)",
    )
    group.add_argument(
        "-r", "--reuse", nargs="?", const="latest", metavar="TIME", help="go on with this run; without TIME the newest"
    )
    group.add_argument(
        "-m", "--mode", choices=("all", "infer", "eval", "viz"), default="all", help="stages to run (default: all)"
    )


def _add_execution(group: argparse._ArgumentGroup) -> None:
    group.add_argument(
        "--inline", action="store_true", help="without Prefect: same stages, files and exit status, no server"
    )
    group.add_argument(
        "--max-num-workers",
        type=_positive,
        metavar="N",
        help="tasks at once, where the config says nothing (default: 1)",
    )
    group.add_argument(
        "--fail-on-error",
        type=_budget,
        default=0.05,
        metavar="X",
        help="errors a model-dataset pair may have: a fraction below 1, or a count (default: 0.05)",
    )
    group.add_argument(
        "--dump-eval-details",
        nargs="?",
        type=_is_true,
        const=True,
        default=True,
        metavar="BOOL",
        help="keep one record per sample in results files (default: true)",
    )


def _add_display(group: argparse._ArgumentGroup) -> None:
    group.add_argument("--dry-run", action="store_true", help="check and plan only: ask nothing, write nothing")
    group.add_argument("--config-verbose", action="store_true", help="show the effective configuration")
    group.add_argument("--debug", action="store_true", help="one task at a time, logs in the terminal")
    group.add_argument("--no-progress", action="store_true", help="no progress display")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


def _budget(text: str) -> float:
    number = float(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is negative")
    return number


def _is_true(text: str) -> bool:
    return text.lower() != "false"


if __name__ == "__main__":
    sys.exit(main())
