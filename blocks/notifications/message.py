"""From an event to what is posted: title, lines, table, end of a log; of bounded length and free of secrets."""

import os
import re
import string
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from blocks.notifications.events import Event, EventKind
from blocks.notifications.templates import Template, Templates

LONGEST_TITLE = 150
LONGEST_LINE = 500
MOST_FAILURES = 10
MOST_ROWS = 30
LONGEST_CELL = 60
LONGEST_LOG = 1500
"""All in characters, or counts of what they are named after."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_CALLS = re.compile(r"<(?=[!@#/a-z])|(?<=@)(?=(all|channel|everybody|everyone|here)\b)", re.IGNORECASE)
_BAD = frozenset({EventKind.PAIR_FAILED, EventKind.JOB_FAILED, EventKind.CRASHED})
_WARNING = frozenset({EventKind.BUDGET_REACHED, EventKind.CANCELLED})

Clean = Callable[[str], str]
"""Takes secrets out of a text."""


class Tone(StrEnum):
    """What colour a message has where there are colours."""

    GOOD = "good"
    BAD = "bad"
    WARNING = "warning"
    NEUTRAL = "neutral"


@dataclass(frozen=True)
class Table:
    """Cells as text."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    @property
    def text(self) -> str:
        """In columns, for a font of equal widths."""
        lines = [self.header, *self.rows]
        widths = [max(len(line[column]) for line in lines) for column in range(len(self.header))]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines
        )


@dataclass(frozen=True)
class Message:
    """What is posted, in plain text that each service escapes in its own way."""

    title: str
    lines: tuple[str, ...] = ()
    tone: Tone = Tone.NEUTRAL
    table: Table | None = None
    log: str = ""
    """The end of a log."""
    link: str = ""

    @property
    def text(self) -> str:
        """Everything below the title."""
        parts = ["\n".join(self.lines), self.table.text if self.table else "", self.log, self.link]
        return "\n\n".join(part for part in parts if part)


def compose(event: Event, templates: Templates, clean: Clean) -> Message:
    """The message that tells the event."""
    template = templates[event.kind]
    values = {**event.values, "failed": str(event.failed), "names": _names(event)}
    title = template.failed_title if event.failed and template.failed_title else template.title
    lines = [_filled(line, values) for line in template.lines if _says_something(line, values)]
    if event.kind not in (EventKind.INFER_FINISHED, EventKind.EVAL_FINISHED):
        lines += _listed(event, template)
    return Message(
        title=one_line(clean(_filled(title, values)), LONGEST_TITLE),
        lines=tuple(one_line(clean(line), LONGEST_LINE) for line in lines),
        tone=_tone(event),
        table=_table(event.table, clean),
        log=_log(event, clean) if template.log else "",
        link=clean(event.link) if event.link.startswith(("http://", "https://")) else "",
    )


def shorter(message: Message) -> Iterator[Message]:
    """The message, then ever shorter versions of it, down to the title: for services that limit the size."""
    yield message
    yield (message := replace(message, log=message.log[-LONGEST_LOG // 4 :]))
    if message.table:
        few = Table(message.table.header, message.table.rows[:5])
        yield (message := replace(message, table=few, lines=(*message.lines, "(the table is cut)")))
    yield (message := replace(message, table=None, log=""))
    yield (message := replace(message, lines=tuple(one_line(line, LONGEST_LINE // 5) for line in message.lines)))
    yield replace(message, lines=message.lines[:3])
    yield replace(message, lines=(), link="")


def one_line(text: str, longest: int) -> str:
    """The text on one line, without control characters, cut with a mark."""
    text = " ".join(printable(text).split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def printable(text: str) -> str:
    """Without what no service can show: control characters, characters that turn the text round, half characters."""
    return _CONTROL.sub("", text.encode("utf-8", "backslashreplace").decode())


def calling_nobody(text: str) -> str:
    """For services that read mentions, links and tags in a plain text: theirs are broken, all else stays."""
    return _CALLS.sub(lambda match: "＜" if match[0] else "\u2060", text)


def _filled(text: str, values: Mapping[str, str]) -> str:
    template = string.Template(text)
    return template.substitute({**dict.fromkeys(template.get_identifiers(), ""), **values})


def _says_something(line: str, values: Mapping[str, str]) -> bool:
    names = string.Template(line).get_identifiers()
    return not names or any(values.get(name) for name in names)


def _names(event: Event) -> str:
    shown = [failure.name for failure in event.failures[:MOST_FAILURES]]
    more = [f"and {event.failed - len(shown)} more"] if event.failed > len(shown) else []
    return ", ".join([*shown, *more]) if shown else ""


def _listed(event: Event, template: Template) -> list[str]:
    shown = event.failures[:MOST_FAILURES]
    lines = [_filled(template.each, {"name": failure.name, "reason": failure.reason}) for failure in shown]
    left = event.failed - len(shown)
    return [*lines, _filled(template.more, {"more": str(left)})] if left > 0 else lines


def _tone(event: Event) -> Tone:
    if event.kind in _BAD or (event.failed and event.kind not in _WARNING):
        return Tone.BAD
    if event.kind in _WARNING:
        return Tone.WARNING
    return Tone.NEUTRAL if event.kind in (EventKind.STARTED, EventKind.TEST) else Tone.GOOD


def _table(rows: Sequence[Mapping[str, str]], clean: Clean) -> Table | None:
    if not rows:
        return None
    header = tuple(rows[0])

    def cells(texts: Iterable[str]) -> tuple[str, ...]:
        return tuple(one_line(clean(text), LONGEST_CELL) for text in texts)

    shown = [cells(row.get(name, "") for name in header) for row in rows[:MOST_ROWS]]
    if len(rows) > MOST_ROWS:
        shown.append(cells([f"… {len(rows) - MOST_ROWS} more rows", *("" for _ in header[1:])]))
    return Table(cells(header), tuple(shown))


def _log(event: Event, clean: Clean) -> str:
    """The end of the first log there is; secrets are taken out before it is cut, lest half of one stay."""
    for path in (failure.log for failure in event.failures):
        text = printable(clean(_end(path))).strip() if path else ""
        if text:
            return text if len(text) <= LONGEST_LOG else "…" + text[-LONGEST_LOG:]
    return ""


def _end(path: Path) -> str:
    """The last lines of a file; a first line that may be torn is left out."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 4 * LONGEST_LOG))
            text = file.read().decode("utf-8", "replace")
    except OSError:
        return ""
    return text if size <= 4 * LONGEST_LOG else text.partition("\n")[2]
