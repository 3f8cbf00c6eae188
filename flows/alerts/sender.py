"""Tells people how a run gets on: what its stages report becomes messages, which couriers post in the background."""

import getpass
import platform
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from threading import Event as Flag
from typing import Protocol

from blocks.notifications.courier import Courier, Pace
from blocks.notifications.events import Event, EventKind, Failure
from blocks.notifications.message import Message, compose
from blocks.notifications.posting import Target
from flows.alerts.observer import Observer
from flows.alerts.settings import AlertSettings, alert_settings
from flows.prefect_api.saved_blocks import reading_blocks
from tasks.plan.run_plan import RunPlan
from tasks.report.summary.summary import Summary
from tasks.spec.secrets.scrubber import SecretScrubber
from tasks.spec.storage.run_folder import Pair, RunFolder

_LAST_MOMENT_S = 5.0
"""How long the end of a run waits for the last messages."""


class ReportedRun(Protocol):
    """What messages say about a run."""

    plan: RunPlan
    folder: RunFolder
    stop: Flag
    failures: dict[Pair, str]
    summary: Summary | None
    url: str

    @property
    def title(self) -> str: ...

    @property
    def station_failure(self) -> str: ...


@contextmanager
def alerts_about(run: ReportedRun) -> Iterator["Alerts"]:
    """Sends messages about the run while the block runs."""
    alerts = Alerts(run, alert_settings(run.plan.request, run.plan.values), Pace())
    try:
        yield alerts
    finally:
        alerts.close()


class Alerts(Observer):
    """Messages about one run; each moment is told once."""

    def __init__(self, run: ReportedRun, settings: AlertSettings, pace: Pace) -> None:
        self._run = run
        self._settings = settings
        self._pace = pace
        self._scrub = SecretScrubber.of_configuration(run.plan.values).scrub
        self._couriers: list[Courier] = []
        self._told: set[EventKind | tuple[EventKind, Pair]] = set()
        self._failures: dict[str, dict[Pair, Failure]] = {"infer": {}, "eval": {}, "budget": {}}
        self._error: BaseException | None = None

    def open(self) -> None:
        if not self._couriers:
            targets = [*self._settings.targets, *load_blocks(self._settings.blocks)]
            self._couriers = [Courier(target, self._message, self._pace) for target in targets]

    def begun_again(self) -> None:
        for failures in self._failures.values():
            failures.clear()

    def started(self) -> None:
        self.open()
        self._tell(EventKind.STARTED)

    def failed(self, stage: str, pair: Pair, reason: str) -> None:
        self._note(EventKind.PAIR_FAILED, stage, pair, reason)

    def left(self, pair: Pair, reason: str) -> None:
        self._note(EventKind.BUDGET_REACHED, "budget", pair, reason)

    def job_failed(self, name: str, reason: str, log: Path) -> None:
        self._send(Event(EventKind.JOB_FAILED, self._values(), (Failure(name, reason, log),), 1, link=self._run.url))

    def stage_finished(self, stage: str, pairs: int) -> None:
        if self._run.stop.is_set():
            return
        failures = tuple(self._failures[stage].values())
        kind = EventKind.INFER_FINISHED if stage == "infer" else EventKind.EVAL_FINISHED
        left = len(self._failures["budget"]) if stage == "infer" else 0
        self._tell(kind, failures, done=str(pairs - len(failures) - left))

    def summarized(self, summary: Summary) -> None:
        self._tell(EventKind.SUMMARY_WRITTEN, path=str(summary.paths.text))

    def ended(self, error: BaseException | None) -> None:
        run, self._error = self._run, error
        if run.stop.is_set():
            self._tell(EventKind.CANCELLED)
        elif error is None:
            failures = [Failure(_name(pair), reason) for pair, reason in run.failures.items()]
            if run.station_failure:
                failures.append(Failure("the results station", run.station_failure))
            table = tuple(run.summary.table) if run.summary else ()
            done = str(len(run.plan.pairs) - len(run.failures))
            self._tell(EventKind.FINISHED, tuple(failures), table, done=done)

    def close(self) -> None:
        ends = {EventKind.FINISHED, EventKind.CANCELLED}
        if EventKind.STARTED in self._told and not ends & self._told:
            error = self._error
            self._tell(EventKind.CRASHED, error=f"{type(error).__name__}: {error}" if error else "")
        for courier in self._couriers:
            courier.close()
        deadline = time.monotonic() + _LAST_MOMENT_S
        for courier in self._couriers:
            courier.join(deadline - time.monotonic())

    def _note(self, kind: EventKind, stage: str, pair: Pair, reason: str) -> None:
        if pair in self._failures[stage]:
            return
        failure = Failure(_name(pair), reason, self._run.folder.log("eval" if stage == "eval" else "infer", pair))
        self._failures[stage][pair] = failure
        if (kind, pair) not in self._told:
            self._told.add((kind, pair))
            self._send(Event(kind, self._values(), (failure,), 1, link=self._run.url))

    def _tell(
        self,
        kind: EventKind,
        failures: tuple[Failure, ...] = (),
        table: tuple[Mapping[str, str], ...] = (),
        **values: str,
    ) -> None:
        if kind not in self._told:
            self._told.add(kind)
            self._send(Event(kind, self._values() | values, failures, len(failures), table, self._run.url))

    def _send(self, event: Event) -> None:
        if event.kind in self._settings.events:
            for courier in self._couriers:
                courier.send(event)

    def _message(self, event: Event) -> Message:
        return compose(event, self._settings.templates, self._scrub)

    def _values(self) -> dict[str, str]:
        plan = self._run.plan
        counts = {"pairs": plan.pairs, "models": plan.models, "datasets": plan.datasets}
        return {
            **who(),
            "run": self._run.title,
            "folder": str(self._run.folder.root),
            **{name: str(len(items)) for name, items in counts.items()},
        }


def who() -> dict[str, str]:
    """Who runs this, and where, as templates name it."""
    try:
        user = getpass.getuser()
    except (OSError, KeyError):  # a container's user may have no name
        user = "?"
    return {"user": user, "host": platform.node()}


def load_blocks(names: tuple[str, ...]) -> list[Target]:
    """The targets of saved blocks; UserError if there is no server to ask, or no such block."""
    if not names:
        return []
    with reading_blocks(", ".join(names), "set lark_bot_url or slack_webhook_url instead"):
        from blocks.notifications.block import load_target

        return [load_target(name) for name in names]


def _name(pair: Pair) -> str:
    return f"{pair.model}/{pair.dataset}"
