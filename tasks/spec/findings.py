"""What is wrong with the user's input, told in a way the user can act on."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from enum import StrEnum
from typing import Any


class FindingKind(StrEnum):
    """Who has to act: the author of the configuration, the owner of the machine, or nobody."""

    CONFIG = "config"
    """An error of the configuration: exit status 2, in a dry run too."""
    MACHINE = "machine"
    """Something this machine lacks (package, data, GPU, variable): a dry run only prints it."""
    WARNING = "warning"


@dataclass(frozen=True)
class Place:
    """Where in the user's input a finding comes from."""

    file: str | None = None
    line: int | None = None
    key: str | None = None

    def __str__(self) -> str:
        position = f"{self.file}:{self.line}" if self.file and self.line else self.file or ""
        return ": ".join(part for part in (position, self.key) if part)


@dataclass(frozen=True)
class Finding:
    """One message: what is wrong, where, and what to do about it."""

    message: str
    place: Place = Place()
    remedy: str = ""
    kind: FindingKind = FindingKind.CONFIG

    def __str__(self) -> str:
        text = f"{self.place}: {self.message}" if str(self.place) else self.message
        return f"{text}\n  {self.remedy}" if self.remedy else text


class UserError(Exception):
    """Input that cannot be used: printed once without a traceback, exit status 2."""

    def __init__(self, findings: Finding | str | Sequence[Finding]) -> None:
        if isinstance(findings, str):
            findings = Finding(findings)
        self.findings: tuple[Finding, ...] = (findings,) if isinstance(findings, Finding) else tuple(findings)
        super().__init__("\n".join(str(finding) for finding in self.findings))


def problem_text(problem: Mapping[str, Any]) -> str:
    """What pydantic says is wrong (an entry of `ValidationError.errors`), as the middle of a sentence."""
    text = str(problem["msg"])
    return text[:1].lower() + text[1:]


def closest(name: str, valid: Iterable[str], count: int = 3, likeness: float = 0.6) -> list[str]:
    """The valid choices that `name` may be a misspelling of, the most alike first."""
    return get_close_matches(name, list(valid), n=count, cutoff=likeness)


def did_you_mean(choices: Iterable[str]) -> str:
    """A question naming the choices; empty without any."""
    named = " or ".join(map(repr, choices))
    return f"did you mean {named}?" if named else ""


def nearest(name: str, valid: Iterable[str], count: int = 3) -> str:
    """A phrase naming the valid choices closest to `name`, or all of a short list."""
    choices = sorted(valid)
    if close := closest(name, choices, count):
        return did_you_mean(close)
    if choices and len(choices) <= 12:
        return "valid are " + ", ".join(repr(choice) for choice in choices)
    return ""
