"""The table, for a terminal and for the documentation."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from statistics import median

from benchmarks.machine import machine
from benchmarks.rows import Row
from tabulate import tabulate

_START, _END = "<!-- measured: begin -->", "<!-- measured: end -->"

Measured = Mapping[Row, Sequence[float]]
"""The figures of every repetition."""


def missed(measured: Measured) -> list[Row]:
    """Rows whose median is beyond their budget."""
    return [row for row, values in measured.items() if not row.holds(median(values))]


def table(measured: Measured, style: str) -> str:
    """One line per row: median, range of the repetitions, budget."""
    lines = [
        [row.name, number(median(values)), f"{number(min(values))} to {number(max(values))}", row.unit, _budget(row)]
        for row, values in measured.items()
    ]
    return tabulate(lines, ["row", "median", "range", "unit", "budget"], tablefmt=style, disable_numparse=True)


def write(path: Path, measured: Measured) -> None:
    """Puts the table and the machine between the marks of the page."""
    before, _, rest = path.read_text(encoding="utf-8").partition(_START)
    _, _, after = rest.partition(_END)
    facts = {"date": f"{datetime.now():%Y-%m-%d}", **machine(), "repetitions": str(max(map(len, measured.values())))}
    shown = "\n".join(f"- {name}: {value}" for name, value in facts.items())
    text = f"{before}{_START}\n{table(measured, 'github')}\n\n{shown}\n{_END}{after}"
    path.write_text(text, encoding="utf-8")


def _budget(row: Row) -> str:
    held = f"= {row.most:g}" if row.least == row.most else f"≤ {row.most:g}"
    return held if row.goal is None else f"{held}, goal {row.goal:g}"


def number(value: float) -> str:
    """Three digits, or whole from 50."""
    return f"{value:.0f}" if value >= 50 else f"{value:.3g}"
