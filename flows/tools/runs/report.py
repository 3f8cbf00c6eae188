"""`compass report`: the page of a run, one file for any browser."""

import argparse
from collections.abc import Sequence

from flows.output.console import say
from flows.preparation.saved_run import run_to_report
from flows.tools.runs.run_choice import add_run_arguments, chosen_run
from tasks.report.page.page_file import MOST_SAMPLES, write_report


def main(argv: Sequence[str]) -> int:
    """Writes `summary/report.html` of a run."""
    parser = argparse.ArgumentParser(
        prog="compass report",
        description="Writes summary/report.html: scores with intervals, charts, failures, samples, and how every "
        "number came about. The file needs no other and no network.",
    )
    add_run_arguments(parser)
    parser.add_argument(
        "--samples",
        type=int,
        default=MOST_SAMPLES,
        metavar="N",
        help="samples that the page holds; of more, those that are not right come first (%(default)s)",
    )
    arguments = parser.parse_args(argv)
    folder = chosen_run(arguments)
    parts = run_to_report(folder)
    path = write_report(**parts._asdict(), most_samples=max(0, arguments.samples))
    say(f"report: {path}")
    return 0
