"""Small pieces of Markdown."""

import re
from collections.abc import Iterable, Sequence

NOTE = "<!-- Made from the code by `python -m docs.generators`; changes belong there. -->"


_FEWEST_LISTED = 5
_HEADING = re.compile(r"^(##|###) (.+)$", re.MULTILINE)


def page(title: str, how: str, *parts: str) -> str:
    """A whole page: the remark that it is made by a program, how to read it, and what is on it if that is much."""
    text = "\n\n".join(part for part in parts if part)
    return "\n\n".join(part for part in (f"# {title}", NOTE, how, _contents(text), text) if part) + "\n"


def link(heading: str) -> str:
    """A link to a heading of the same page."""
    return f"[{heading.replace('`', '')}](#{anchor(heading)})"


def anchor(heading: str) -> str:
    """The name that links give to a heading, as GitHub and the site make it."""
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _contents(text: str) -> str:
    """Links to all headings, those below another in its line; nothing where they are few."""
    lines: list[list[str]] = []
    for level, heading in _HEADING.findall(text):
        if level == "##":
            lines.append([link(heading)])
        else:
            lines[-1].append(link(heading))
    if sum(map(len, lines)) < _FEWEST_LISTED:
        return ""
    if all(len(line) == 1 for line in lines):
        return " · ".join(line[0] for line in lines)
    return "\n".join(f"- {': '.join([line[0], ' · '.join(line[1:])]) if line[1:] else line[0]}" for line in lines)


def table(headers: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; empty where there are no rows."""
    lines = [_row([cell(text) for text in row]) for row in rows]
    return "\n".join([_row(headers), _row(["---"] * len(headers)), *lines]) if lines else ""


def cell(text: str) -> str:
    """The text in one line, its bars kept from ending the cell."""
    return " ".join(text.split()).replace("|", "\\|")


def code(text: str) -> str:
    """Set as code; nothing where there is nothing."""
    return f"`{text}`" if text else ""


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(cells) + " |"
