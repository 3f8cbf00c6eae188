"""What a run may spend, and what it has spent: where a limit is reached, nothing more is asked."""

import threading
import time
from dataclasses import dataclass

from tasks.infer.inferencers.interface import Answer
from tasks.models.interface import Completion
from tasks.spec.specs import ModelSpec, cost

BUDGET_REACHED = "budget reached"
"""What every reason to stop for a limit begins with."""
_MINUTE = 60.0


@dataclass(frozen=True, slots=True)
class SpendingLimits:
    """Limits for one run over all its models and datasets; None: no limit."""

    max_samples: int | None = None
    """Samples that are asked; those whose answers are there already do not count."""
    max_tokens: int | None = None
    """Tokens of prompts and answers together, as the services count them."""
    max_cost: float | None = None
    """Dollars, of the models that have prices."""
    max_minutes: float | None = None
    """From the first request on."""


class Spending:
    """Counts what is asked and answered; safe to use from several threads.

    Requests in flight when a limit is reached are still received, so tokens and cost may go over it by theirs.
    """

    def __init__(self, limits: SpendingLimits | None = None) -> None:
        self.limits = limits or SpendingLimits()
        self.samples = 0
        self.tokens = 0
        self.cost = 0.0
        self._began: float | None = None
        self._lock = threading.Lock()

    def may_start(self) -> str | None:
        """Counts a sample that has to be asked; the reason why it may not be, if a limit is reached."""
        with self._lock:
            reason = self._reached()
            if reason is None:
                self._began = self._began or time.monotonic()
                self.samples += 1
            return reason

    def exhausted(self) -> str | None:
        """The reason why nothing more may be asked, whoever it is, if a limit of tokens, money or time is reached."""
        with self._lock:
            return self._spent()

    def answered(self, model: ModelSpec, answer: Answer) -> str | None:
        """Counts an answer's tokens; the reason why nothing more may be asked, if their limit is reached."""
        with self._lock:
            self._began = self._began or time.monotonic()
            if isinstance(answer, Completion):
                read, written = answer.usage.prompt_tokens or 0, answer.usage.completion_tokens or 0
                self.tokens += read + written
                self.cost += cost(model.prices, read, written) or 0.0
            return self._spent()

    def _reached(self) -> str | None:
        if self.limits.max_samples is not None and self.samples >= self.limits.max_samples:
            return f"{BUDGET_REACHED}: max_samples={self.limits.max_samples}"
        return self._spent()

    def _spent(self) -> str | None:
        limits = self.limits
        minutes = 0.0 if self._began is None else (time.monotonic() - self._began) / _MINUTE
        used = {"max_tokens": self.tokens, "max_cost": self.cost, "max_minutes": minutes}
        for name, amount in used.items():
            limit = getattr(limits, name)
            if limit is not None and amount >= limit:
                return f"{BUDGET_REACHED}: {name}={limit:g}"
        return None
