"""`compass leaderboard`: the results of all runs that a station keeps."""

import argparse
import json
from collections.abc import Callable, Sequence
from pathlib import Path

from blocks.station.entry import StationError
from flows.output.console import out, say
from flows.station.access import OWN_STATION, station_at
from tasks.report.comparison.leaderboard import Leaderboard, make_leaderboard
from tasks.report.summary.layout import aligned, markdown, quoted_csv
from tasks.spec.findings import Finding, UserError
from tasks.spec.storage.run_folder import write_atomically


def main(argv: Sequence[str]) -> int:
    """Shows the table; 2 if the station cannot be read or has no such results."""
    parser = argparse.ArgumentParser(
        prog="compass leaderboard",
        description="Scores that a station keeps. What was asked or scored in another way stands in a column or a "
        "line of its own.",
    )
    parser.add_argument(
        "--station", default=OWN_STATION, metavar="ADDRESS", help="as for --station-path (default: $COMPASS_STATION)"
    )
    parser.add_argument("--model", default="*", metavar="PATTERN", help="only these models")
    parser.add_argument("--dataset", default="*", metavar="PATTERN", help="only these datasets")
    parser.add_argument("--metric", metavar="PATTERN", help="these metrics (default: the main one of each dataset)")
    parser.add_argument("--sort", metavar="DATASET", help="the best on this dataset first (default: by name)")
    parser.add_argument("-f", "--format", choices=_FORMATS, default="text", help="%(choices)s (%(default)s)")
    parser.add_argument("-o", "--out", metavar="FILE", help="write it there")
    arguments = parser.parse_args(argv)
    board = make_leaderboard(
        _rows(arguments.station),
        model=arguments.model,
        dataset=arguments.dataset,
        metric=arguments.metric,
        sort=arguments.sort,
    )
    if not board.lines:
        raise UserError("the station has no such results")
    text = _FORMATS[arguments.format](board)
    if arguments.out:
        write_atomically(Path(arguments.out).expanduser(), text.encode("utf-8", "backslashreplace"))
        say(f"written: {arguments.out}")
    else:
        out.print(text.rstrip("\n"), markup=False, highlight=False)
    return 0


def _rows(address: str) -> list[dict[str, object]]:
    try:
        return station_at(address).table()
    except StationError as error:
        raise UserError(Finding(str(error))) from error


def _text(board: Leaderboard) -> str:
    return aligned(*_shown(board), left=1)


def _markdown(board: Leaderboard) -> str:
    return markdown(*_shown(board), left=1) + "\n"


def _shown(board: Leaderboard) -> tuple[list[str], list[list[str]]]:
    rows = [[name, *("-" if value is None else f"{value:.2f}" for value in line)] for name, line in board.lines.items()]
    return ["model", *board.columns], rows


def _csv(board: Leaderboard) -> str:
    rows = [[name, *("" if value is None else str(value) for value in line)] for name, line in board.lines.items()]
    return quoted_csv(["model", *board.columns], rows)


def _json(board: Leaderboard) -> str:
    """One object per score, with its standard error and what it is of."""
    return json.dumps([dict(record) for record in board.records], ensure_ascii=False, indent=2) + "\n"


_FORMATS: dict[str, Callable[[Leaderboard], str]] = {"text": _text, "md": _markdown, "csv": _csv, "json": _json}
