"""What people see: one renderer for messages, tables and progress."""

import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from math import ceil
from typing import Any

import humanize
from rich.console import Console, ConsoleOptions, RenderableType
from rich.markup import escape
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn
from rich.segment import Segment

from flows.output.standard_streams import naming_output, optional_errors
from tasks.infer.progress import Progress as InferProgress
from tasks.infer.progress import Snapshot
from tasks.models.http.limiter import LimiterState
from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.storage.printable import unsteering

_REFRESH_SECONDS = 0.25
_PLAIN_SECONDS = 5.0
_WIDTH_FOR_A_BAR = 100
"""Columns of a terminal; a narrower one has room for the numbers alone."""
_MARKS = {
    FindingKind.CONFIG: "[bold red]error:[/]",
    FindingKind.MACHINE: "[bold red]missing:[/]",
    FindingKind.WARNING: "[yellow]warning:[/]",
}


class _Terminal(Console):
    """Shows text of others as text: what would steer a terminal is written as an escape."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterator[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else segment._replace(text=unsteering(segment.text))

    def print(self, *objects: Any, **options: Any) -> None:
        """Standard error that takes no more ends nothing: there is nobody to tell."""
        with optional_errors() if self.stderr else naming_output():
            super().print(*objects, **options)


out = _Terminal(highlight=False, soft_wrap=True)
"""Results."""
err = _Terminal(stderr=True, highlight=False, soft_wrap=True)
"""Everything else."""


def say(message: str) -> None:
    """One line about what happens."""
    err.print(escape(message))


def show_findings(findings: tuple[Finding, ...] | list[Finding]) -> None:
    """Each finding with its kind, place and remedy."""
    for finding in findings:
        err.print(f"{_MARKS[finding.kind]} {escape(str(finding))}")


def show_error(error: UserError) -> None:
    """The user's mistakes, without a traceback."""
    show_findings(error.findings)


def progress_line(snapshot: Snapshot) -> str:
    """Samples done and total, rate, tokens, errors, retries and what endpoints asked for, time left."""
    counters = snapshot.counters
    parts = [f"{counters.done}/{snapshot.total} samples", f"{snapshot.rate:.1f}/s"]
    tokens = counters.prompt_tokens + counters.completion_tokens
    if tokens:
        parts.append(f"{humanize.metric(tokens)} tokens")
    if counters.reused:
        parts.append(f"{counters.reused} reused")
    parts.append(f"{counters.errors} errors")
    if snapshot.judged:
        parts.append(f"{snapshot.judged} answers of judges")
    parts += _limits(snapshot.endpoints)
    if snapshot.seconds_left is not None and counters.done < snapshot.total:
        parts.append(f"{timedelta(seconds=round(snapshot.seconds_left))} left")
    return "  ".join(parts)


def _limits(endpoints: Sequence[LimiterState]) -> list[str]:
    """What was tried again, and how each endpoint that asked for it is held back."""
    retries = sum(endpoint.retries for endpoint in endpoints)
    parts = [f"{retries} retries"] if retries else []
    for endpoint in endpoints:
        held = [f"at most {endpoint.window} in flight"] if endpoint.window is not None else []
        held += [f"paused for {ceil(endpoint.pause)} s"] if endpoint.pause else []
        host = f"{endpoint.host} " if len(endpoints) > 1 else ""
        parts += [host + ", ".join(held)] if held else []
    return parts


@contextmanager
def show_progress(progress: InferProgress, *, enabled: bool = True) -> Iterator[None]:
    """Shows the inference while the block runs: a bar on a terminal, a plain line now and then elsewhere."""
    finished = threading.Event()
    if not enabled:
        yield
        return
    follow = _follow_bar if err.is_terminal else _follow_lines
    thread = threading.Thread(target=follow, args=(progress, finished), name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()


def _follow_bar(progress: InferProgress, finished: threading.Event) -> None:
    room = err.width >= _WIDTH_FOR_A_BAR
    columns = (SpinnerColumn(), *[BarColumn()] * room, TextColumn("infer {task.description}"))
    with Progress(*columns, console=err, transient=True) as bar:
        task = bar.add_task("", total=None)
        while not finished.wait(_REFRESH_SECONDS):
            snapshot = progress.snapshot()
            if snapshot.total:
                bar.update(
                    task, total=snapshot.total, completed=snapshot.counters.done, description=progress_line(snapshot)
                )
    _say_final(progress)


def _follow_lines(progress: InferProgress, finished: threading.Event) -> None:
    shown, judged = time.monotonic(), 0
    while not finished.wait(_REFRESH_SECONDS):
        snapshot = progress.snapshot()
        goes_on = snapshot.counters.done < snapshot.total or snapshot.judged != judged
        if goes_on and time.monotonic() - shown >= _PLAIN_SECONDS:
            say(f"infer  {progress_line(snapshot)}" if snapshot.total else f"{snapshot.judged} answers of judges")
            shown, judged = time.monotonic(), snapshot.judged
    _say_final(progress)


def _say_final(progress: InferProgress) -> None:
    snapshot = progress.snapshot()
    if snapshot.total:
        say(f"infer  {progress_line(snapshot)}")
