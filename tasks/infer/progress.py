"""How far the inference is: counters that running parts raise and displays read."""

import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from tasks.models.http.limiter import LimiterState
from tasks.models.interface import Completion, Likelihood
from tasks.spec.status import Status
from tasks.spec.storage.run_folder import Pair


@dataclass(slots=True)
class Counters:
    """What happened in one part, raised by the one thread that runs it."""

    done: int = 0
    """Samples complete, reused ones included."""
    reused: int = 0
    """Samples complete without asking anything."""
    errors: int = 0
    """Samples without an answer."""
    requests: int = 0
    """Requests answered by the model in this run."""
    prompt_tokens: int = 0
    completion_tokens: int = 0

    def answered(self, result: Completion | Likelihood) -> None:
        """Counts one request's result."""
        self.requests += 1
        if isinstance(result, Completion):
            self.prompt_tokens += result.usage.prompt_tokens or 0
            self.completion_tokens += result.usage.completion_tokens or 0

    def completed(self, status: Status, *, reused: bool) -> None:
        """Counts one finished sample."""
        self.done += 1
        self.reused += reused
        self.errors += status is Status.ERROR

    def __add__(self, other: "Counters") -> "Counters":
        return Counters(*(getattr(self, name) + getattr(other, name) for name in Counters.__slots__))

    def __sub__(self, other: "Counters") -> "Counters":
        return Counters(*(getattr(self, name) - getattr(other, name) for name in Counters.__slots__))


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Counters at one moment."""

    total: int
    """Samples planned."""
    counters: Counters
    elapsed: float
    """Seconds since the inference began."""
    endpoints: Sequence[LimiterState] = ()
    judged: int = 0
    """Answers of judges in this run."""

    @property
    def rate(self) -> float:
        """Samples per second, reused ones left out."""
        fresh = self.counters.done - self.counters.reused
        return fresh / self.elapsed if self.elapsed > 0 else 0.0

    @property
    def seconds_left(self) -> float | None:
        """None while nothing has been answered."""
        return (self.total - self.counters.done) / self.rate if self.rate else None


@dataclass
class Progress:
    """Counters of a whole run; safe to use from several threads. Sums take the time of the open pairs alone."""

    totals: dict[Pair, int] = field(default_factory=dict[Pair, int])
    limiter_states: Callable[[], Sequence[LimiterState]] = tuple
    """How the limiters of the endpoints stand that are asked."""
    judge_answers: Callable[[], int] = int
    """How many answers judges gave in this run."""
    _parts: dict[Pair, dict[str, Counters]] = field(default_factory=dict[Pair, dict[str, Counters]])
    _total: int = 0
    _open: set[Pair] = field(default_factory=set[Pair])
    """Pairs whose counters may still be raised."""
    _settled: Counters = field(default_factory=Counters)
    """Sum over all others."""
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _started: float | None = None

    def plan(self, pair: Pair, samples: int) -> None:
        """Says how many samples a pair has in all."""
        with self._lock:
            self._total += samples - self.totals.get(pair, 0)
            self.totals[pair] = samples
            self._started = self._started or time.monotonic()

    def begin(self, pair: Pair, part: str) -> Counters:
        """Fresh counters for a part, known by its shard key; a part that is run again starts over."""
        with self._lock:
            parts = self._parts.setdefault(pair, {})
            if pair not in self._open:
                self._open.add(pair)
                self._settled -= _sum(parts.values())
            counters = parts[part] = Counters()
            return counters

    def settle(self, pair: Pair) -> None:
        """Says that the pair gets no further, unless it is begun again."""
        with self._lock:
            if pair in self._open:
                self._open.remove(pair)
                self._settled += _sum(self._parts[pair].values())

    def part(self, pair: Pair, part: str) -> Counters:
        """The counters of a part; zeros while it has not begun."""
        with self._lock:
            return self._parts.get(pair, {}).get(part) or Counters()

    def snapshot(self, pair: Pair | None = None) -> Snapshot:
        """The sums over all pairs, or those of one."""
        with self._lock:
            total = self._total if pair is None else self.totals.get(pair, 0)
            pairs = self._open if pair is None else [pair]
            counters = _sum(c for chosen in pairs for c in self._parts.get(chosen, {}).values())
            counters = counters + self._settled if pair is None else counters
            started = self._started
        elapsed = time.monotonic() - started if started else 0.0
        return Snapshot(total, counters, elapsed, self.limiter_states(), self.judge_answers())


def _sum(counters: Iterable[Counters]) -> Counters:
    return sum(counters, start=Counters())
