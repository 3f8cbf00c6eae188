"""Small pieces of Markdown."""

from collections.abc import Iterable, Sequence

NOTE = "<!-- Made from the code by `python -m docs.generators`; changes belong there. -->"


def page(title: str, *parts: str) -> str:
    """A whole page, with the remark that it is made by a program."""
    return "\n\n".join([f"# {title}", NOTE, *(part for part in parts if part)]) + "\n"


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
