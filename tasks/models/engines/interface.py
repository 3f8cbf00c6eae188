"""What an engine is: a model in a process of its own, which is fed requests and gives results as it has them."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from tasks.models.interface import Completion, Likelihood, Request, ScoreRequest
from tasks.spec.status import Status

Job = Request | ScoreRequest
"""A request under the number that its process knows it by."""
Result = Completion | Likelihood
Done = tuple[int, Result]


class Engine(ABC):
    """Lives in the engine process, on its main thread. The constructor loads the model; EngineError if it cannot."""

    @abstractmethod
    def add(self, jobs: Sequence[Job]) -> list[Done]:
        """Takes jobs; returns those that are answered without the model, because they cannot be asked."""

    @abstractmethod
    def step(self) -> list[Done]:
        """Works for a moment (a batch, or a token of every running job); returns what it finished."""

    @property
    @abstractmethod
    def is_busy(self) -> bool:
        """Whether `step` has anything to do."""


class EngineError(Exception):
    """The engine cannot work; the text is for the user."""


@dataclass(frozen=True, slots=True)
class Load:
    """The first message to an engine process: which engine, with which arguments."""

    engine: str
    """Dotted path of its class."""
    arguments: dict[str, object]


@dataclass(frozen=True, slots=True)
class Loaded:
    """The message from an engine process that has its model."""


@dataclass(frozen=True, slots=True)
class Failed:
    """The last message from an engine process that cannot go on."""

    reason: str
    had_loaded: bool = False
    """Whether it had its model; it may be worth another start then."""


def failure(job: Job, reason: str) -> Done:
    """The result of a job that the engine could not do."""
    if isinstance(job, ScoreRequest):
        return job.index, Likelihood(Status.ERROR, error=reason)
    return job.index, Completion(Status.ERROR, error=reason)
