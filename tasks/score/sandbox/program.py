"""What is run in a sandbox, within which limits, and what becomes of it."""

from dataclasses import dataclass
from enum import StrEnum
from math import ceil


class Verdict(StrEnum):
    """How a program ended."""

    PASSED = "passed"
    WRONG_ANSWER = "wrong_answer"
    """An assertion does not hold."""
    FAILED = "failed"
    """It does not compile, raises, or is killed for what it does."""
    TIMEOUT = "timeout"
    REFUSED = "refused"
    """It was not run: there is no program, or it is larger than any program."""


@dataclass(frozen=True)
class Limits:
    """What one program may use."""

    cpu_seconds: int = 3
    wall_seconds: float = 15.0
    """From the start of the sandbox; generous, since a busy machine must not change a verdict."""
    memory_bytes: int = 2 << 30
    """Of address space per process; of memory for all of them together where control groups can be used."""
    processes: int = 32
    """At a time, threads included."""
    file_bytes: int = 16 << 20
    folder_bytes: int = 64 << 20
    """Of everything in the program's temporary folder, which lies in memory."""
    source_length: int = 1 << 20
    """Characters; a longer source is not run."""

    @classmethod
    def of_seconds(cls, seconds: float) -> "Limits":
        """The usual ones with another limit of processor time, of at least one second."""
        return cls(cpu_seconds=max(1, ceil(seconds)), wall_seconds=max(cls.wall_seconds, 3 * seconds))


@dataclass(frozen=True, slots=True)
class Program:
    """Source texts in Python, and the tests they have to pass."""

    sources: tuple[str, ...]
    """Readings of one answer in order of preference: the first that compiles is run, and only that one."""
    tests: tuple[str, ...]
    """Source texts that run in order, beside the program; it passes if none of them raises."""
    helpers: str = ""
    """Source text that the tests run behind: what they have beside the names of the program."""
    data_only: bool = False
    """Whether calls of the program return plain values and functions only, and no object that answers for itself."""

    @property
    def size(self) -> int:
        """Characters of the longest source."""
        return max(map(len, self.sources), default=0)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of a program."""

    verdict: Verdict
    error: str = ""
    """One short line of printable characters."""
    reading: int = 0
    """Index of the source that was run."""
