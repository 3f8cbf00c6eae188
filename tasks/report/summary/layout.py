"""How a summary looks as text, CSV and Markdown; the text has the sections and frames of OpenCompass."""

import csv
import io
import json
import re
from collections.abc import Iterable, Sequence

from tabulate import tabulate

from tasks.report.summary.sample_counts import CountsTable
from tasks.report.summary.scores import Scores
from tasks.spec.storage.printable import one_line

_WIDTH = 128
_MARKUP = re.compile(r"\\.|[|<\[]")
_IN_NUMBER = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_FORMULA = re.compile(r"[=+@\t\r-](?=.)", re.DOTALL)


def aligned(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int) -> str:
    """A table for a fixed-width font; the first `left` columns are texts, the others numbers."""
    alignment = _alignment(header, left) if rows else None
    shown = [[cell if cell.isprintable() else one_line(cell) for cell in row] for row in [header, *rows]]
    return tabulate(shown[1:], headers=shown[0], colalign=alignment, disable_numparse=True)


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int) -> str:
    """A Markdown table."""
    escaped = [[literal(" ".join(cell.splitlines())) for cell in row] for row in [header, *rows]]
    alignment = _alignment(header, left) if rows else None
    return tabulate(escaped[1:], headers=escaped[0], tablefmt="pipe", colalign=alignment, disable_numparse=True)


def literal(text: str) -> str:
    """Text without markup of Markdown or HTML that could fetch, link or break out; what is escaped stays as it is."""
    return _MARKUP.sub(lambda match: match[0] if len(match[0]) > 1 else f"\\{match[0]}", text)


def latex(header: Sequence[str], rows: Sequence[Sequence[str]], *, left: int) -> str:
    """A table for LaTeX's package booktabs, with special characters escaped."""
    alignment = _alignment(header, left) if rows else None
    return tabulate(rows, headers=header, tablefmt="latex_booktabs", colalign=alignment, disable_numparse=True)


def plain_csv(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """CSV as OpenCompass writes it: commas inside cells become blanks, those inside numbers go."""
    return "\n".join(
        ",".join(" ".join(_IN_NUMBER.sub("", cell).replace(",", " ").splitlines()) for cell in row)
        for row in [header, *rows]
    )


def quoted_csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """CSV with quotes where cells need them; every cell is one line and no formula."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(
        [[inert(" ".join(cell.splitlines())) for cell in row] for row in [header, *rows]]
    )
    return buffer.getvalue()


def inert(cell: str) -> str:
    """A cell of a table for spreadsheets: what they would take for a formula, numbers apart, gets an apostrophe."""
    if not _FORMULA.match(cell):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def counts_text(table: CountsTable) -> str:
    """The counts for a fixed-width font."""
    shown = table.for_people()
    return aligned(shown.columns, shown.rows, left=3)


def counts_markdown(table: CountsTable) -> str:
    """The counts as a Markdown table."""
    shown = table.for_people()
    return markdown(shown.columns, shown.rows, left=3)


def framed(sections: Iterable[tuple[str, str]], head: str) -> str:
    """The text file: `head`, then each section with its title in the frame that tools look for."""
    frames = [f"{title}\n{'^' * _WIDTH}\n{body}\n{'$' * _WIDTH}\n" for title, body in sections]
    return f"{head}\n" + f"\n{'-' * _WIDTH}\n\n".join(frames)


def listed(lines: Sequence[str]) -> str:
    """One item per line."""
    return "\n".join(f"- {' '.join(line.split())}" for line in lines)


def raw_results(scores: Scores) -> str:
    """The results files without details, model by model."""
    lines: list[str] = []
    for model in scores.models:
        lines += ["-" * 31, f"Model: {model}"]
        cells = ((dataset.abbr, scores.cell(model, dataset.abbr)) for dataset in scores.datasets)
        lines += [f"{name}: {json.dumps(dict(cell.raw), ensure_ascii=False)}" for name, cell in cells if cell.raw]
    return "\n".join(lines)


def _alignment(header: Sequence[str], left: int) -> list[str]:
    return ["left"] * left + ["right"] * (len(header) - left)
