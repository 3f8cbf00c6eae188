"""The table of all systems, for a terminal and for the documentation."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median

from benchmarks.document import number
from benchmarks.peers.measures import FAILED, MEASURES, SERVER, Figures, Measure
from tabulate import tabulate

START, END = "<!-- peers: begin -->", "<!-- peers: end -->"


def table(figures: Mapping[str, Mapping[str, Sequence[Figures]]], titles: Mapping[str, str], style: str) -> str:
    """A line per measure, a column per system: median and range of the repetitions, or why there is none."""
    lines: list[list[str]] = []
    for measure in MEASURES:
        by_peer = figures.get(measure.key.partition(".")[0], {})
        if any(by_peer.values()):
            lines.append([measure.name, measure.unit, *(cell(measure, by_peer.get(peer, [])) for peer in titles)])
    return tabulate(lines, ["row", "unit", *titles.values()], tablefmt=style, disable_numparse=True)


def cell(measure: Measure, repetitions: Sequence[Figures]) -> str:
    """One figure, as the table shows it."""
    values, reasons = _split(measure.key, repetitions)
    if not values:
        return f"– ({reasons[0]})" if reasons else ""
    shown = number(median(values))
    if len(values) > 1:
        shown += f" ({number(min(values))} to {number(max(values))})"
    share, _ = _split(SERVER + measure.key, repetitions)
    if share:
        shown += f", server {number(median(share))}"
    return shown if not reasons else f"{shown}; {len(reasons)} of {len(repetitions)} failed"


def write(path: Path, shown: str) -> None:
    """Puts the table between the marks of the page."""
    before, _, rest = path.read_text(encoding="utf-8").partition(START)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{START}\n{shown}\n{END}{after}", encoding="utf-8")


def _split(key: str, repetitions: Sequence[Figures]) -> tuple[list[float], list[str]]:
    """Figures and reasons of one line."""
    found = [figures.get(key, figures.get(FAILED)) for figures in repetitions]
    return [x for x in found if isinstance(x, float | int)], [x for x in found if isinstance(x, str)]
