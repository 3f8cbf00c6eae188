"""`compass station`: the state of a results database, and its upgrade."""

import argparse
from collections.abc import Sequence

from blocks.station.entry import StationError
from flows.output.console import say, show_findings
from flows.station.access import OWN_STATION, station_at
from tasks.spec.findings import UserError


def main(argv: Sequence[str]) -> int:
    """1 if something stands in the way of using the station."""
    parser = argparse.ArgumentParser(
        prog="compass station",
        description="check: whether the station can be used. upgrade: bring the tables of a database to the version "
        "of this Compass; older versions can use it no more.",
    )
    parser.add_argument("action", choices=("check", "upgrade"))
    parser.add_argument("station", nargs="?", default=OWN_STATION, metavar="ADDRESS", help="default: $COMPASS_STATION")
    arguments = parser.parse_args(argv)
    try:
        return _upgrade(arguments.station) if arguments.action == "upgrade" else _check(arguments.station)
    except StationError as error:
        raise UserError(str(error)) from error


def _check(address: str) -> int:
    station = station_at(address)
    findings = station.findings()
    show_findings(findings)
    if findings:
        return 1
    results = {(row["model"], row["dataset"], row["run"], row["score_key"]) for row in station.table()}
    say(f"the station {station.name} can be used and has {len(results)} results")
    return 0


def _upgrade(address: str) -> int:
    station = station_at(address)
    before, now = station.upgrade()
    told = {now: f"is of version {now} already", None: f"has tables now, of version {now}"}
    say(f"the station {station.name} {told.get(before, f'went from version {before} to {now}')}")
    return 0
