"""Puts the results that were taken from the station into the run's folder."""

import logging
from typing import Any

from blocks.station.entry import Station, StationError
from flows.station.matching import choose
from tasks.infer.pair_state import PairState, write_state
from tasks.plan.run_plan import RunPlan
from tasks.score.files.results import OWN_KEY, write_results
from tasks.score.score_key import is_scored
from tasks.spec.storage.run_folder import Pair, RunFolder

_log = logging.getLogger(__name__)
STATION_KEY = "station"
"""In our section of a results file: where it was taken from."""
_GONE = "the station no longer has its result: start the run again"


def receive_results(plan: RunPlan, folder: RunFolder) -> dict[Pair, str]:
    """Writes results files and states; returns why pairs have no result, as one that is gone since the planning."""
    station: Station = plan.station
    own = {pair for pair in plan.taken if _is_current(plan, folder, pair)}
    wanted = sorted(plan.taken - own)
    failures: dict[Pair, str] = {}
    try:
        choice = choose(plan, station.headers(wanted))
        for pair in wanted:
            if pair in choice.taken:
                results = station.load(pair, choice.taken[pair].identity)
                _write(folder, pair, results, station.name, choice.taken[pair].samples)
            else:
                failures[pair] = _GONE
    except StationError as error:
        for pair in wanted:
            if not folder.results(pair).is_file():
                failures[pair] = str(error)
    _log.info("results taken from the station %s: %d", station.name, len(wanted))
    return failures


def _is_current(plan: RunPlan, folder: RunFolder, pair: Pair) -> bool:
    """Whether the folder has a result of this run's own, of the same configuration."""
    planned = plan.by_pair[pair]
    return is_scored(planned.model, planned.dataset, folder)


def _write(folder: RunFolder, pair: Pair, results: dict[str, Any], station: str, samples: int) -> None:
    own, details = results.pop(OWN_KEY, None), results.pop("details", None)
    section = {**(own if isinstance(own, dict) else {}), STATION_KEY: station}
    write_results(folder.results(pair), results, section, details if isinstance(details, list | dict) else None)
    state = PairState(status="done", total=samples, completed=samples, reason="from the station")
    write_state(folder, "infer", pair, state)
    write_state(folder, "eval", pair, state)
