"""How far the inference is: counters that shards raise and displays read."""

import threading
import time
from dataclasses import dataclass, field

from tasks.models.interface import Completion, Likelihood
from tasks.spec.run_folder import Pair
from tasks.spec.status import Status


@dataclass(slots=True)
class PairProgress:
    """Counters of one pair. Samples, unless they say otherwise."""

    total: int = 0
    done: int = 0
    """Samples complete, reused ones included."""
    reused: int = 0
    """Complete without asking anything."""
    errors: int = 0
    requests: int = 0
    """Requests answered by the model in this run."""
    retries: int = 0
    """Attempts beyond the first, over all requests."""
    prompt_tokens: int = 0
    completion_tokens: int = 0


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All pairs together at one moment."""

    total: int
    done: int
    reused: int
    errors: int
    requests: int
    retries: int
    prompt_tokens: int
    completion_tokens: int
    elapsed: float
    """Seconds since the first request of this run was planned."""

    @property
    def rate(self) -> float:
        """Samples per second, reused ones left out."""
        return (self.done - self.reused) / self.elapsed if self.elapsed > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """None while nothing has been answered."""
        return (self.total - self.done) / self.rate if self.rate else None


@dataclass
class Progress:
    """Counters of a whole run; safe to use from several threads."""

    pairs: dict[Pair, PairProgress] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _started: float = field(default_factory=time.monotonic)

    def plan(self, pair: Pair, samples: int) -> None:
        """Says how many samples a pair has in all; called once per pair before its shards run."""
        with self._lock:
            self.pairs.setdefault(pair, PairProgress()).total = samples

    def answered(self, pair: Pair, result: Completion | Likelihood) -> None:
        """Counts one request's result."""
        with self._lock:
            counters = self.pairs.setdefault(pair, PairProgress())
            counters.requests += 1
            counters.retries += max(0, result.attempts - 1)
            if isinstance(result, Completion):
                counters.prompt_tokens += result.usage.prompt_tokens or 0
                counters.completion_tokens += result.usage.completion_tokens or 0

    def completed(self, pair: Pair, status: Status, *, reused: bool) -> None:
        """Counts one finished sample."""
        with self._lock:
            counters = self.pairs.setdefault(pair, PairProgress())
            counters.done += 1
            counters.reused += reused
            counters.errors += status is Status.ERROR

    def skipped(self, pair: Pair, samples: int) -> None:
        """Counts samples of a part that was finished before this run."""
        with self._lock:
            counters = self.pairs.setdefault(pair, PairProgress())
            counters.done += samples
            counters.reused += samples

    def snapshot(self, pair: Pair | None = None) -> Snapshot:
        """Totals over all pairs, or those of one."""
        with self._lock:
            chosen = [self.pairs[pair]] if pair in self.pairs else [] if pair else list(self.pairs.values())
            sums = {name: sum(getattr(c, name) for c in chosen) for name in PairProgress.__slots__}
        return Snapshot(**sums, elapsed=time.monotonic() - self._started)
