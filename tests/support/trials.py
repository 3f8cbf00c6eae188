"""What the scripts share that ask other people's servers, with a tiny model, and compare them with transformers."""

import platform
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from support.asking import ask, scored_requests

from tasks.models.engines.hf_engine import HFEngine
from tasks.models.engines.hf_loading import HFOptions
from tasks.models.interface import Backend, Completion, Likelihood, Request, ScoreRequest
from tasks.spec.status import Status

LENGTH = 256
"""Tokens of the model's context, by which the servers are started too."""
TOLERANCE = 1e-2
"""Nats per token that log-likelihoods may differ by."""
_OUT = 6
_QUESTIONS = ("The capital of France", "What is 3 + 4?", "She put the ice into the box because")
_CONTEXT = "Question: what is the capital of France? Answer:"
_SCORED = (
    *((_CONTEXT, option) for option in (" Paris", " Rome, and then she went home", " B")),
    ("", "The capital of Italy is Rome"),
    ("It was warm \N{SNOWMAN}", " outside \N{SNOWMAN}."),
)


class Trial(NamedTuple):
    """One thing that was tried."""

    name: str
    passed: bool
    told: str
    """What came out, in one line."""


@dataclass(frozen=True)
class Expected:
    """What transformers make of the model, greedily, in single precision."""

    continued: list[Completion]
    answered: list[Completion]
    """By its chat template."""
    scored: list[Likelihood]


def by_transformers(model: Path) -> Expected:
    """Loads it twice: as a base model and as a chat model."""
    questions = [Request(n, question, _OUT) for n, question in enumerate(_QUESTIONS)]
    texts = _texts()
    base = _results(model, [*questions, *texts], chat=False)
    return Expected(base[: len(questions)], _results(model, questions, chat=True), base[len(questions) :])


def answers_agree(name: str, model: Backend, expected: Sequence[Completion]) -> Trial:
    """Texts, and how many tokens the prompts have."""
    found = ask(model, *(Request(n, question, _OUT) for n, question in enumerate(_QUESTIONS)))
    wrong = [str(one.error) for one in found if one.status not in (Status.OK, Status.TRUNCATED)]
    texts = sum(_clean(one) == _clean(other) for one, other in zip(found, expected, strict=True))
    counts = [one.usage.prompt_tokens for one in found] == [other.usage.prompt_tokens for other in expected]
    told = f"{texts} of {len(found)} answers equal, prompt tokens {'equal' if counts else 'differ'}"
    return Trial(name, texts == len(found) and counts, "; ".join((told, *wrong[:1])))


def answers_come(name: str, model: Backend, expected: Sequence[Completion]) -> Trial:
    """For interfaces where the server words prompts in its own way: tells by how many tokens they differ."""
    found = ask(model, *(Request(n, question, _OUT) for n, question in enumerate(_QUESTIONS)))
    answered = sum(one.status in (Status.OK, Status.TRUNCATED) and bool(one.texts[0]) for one in found)
    there, here = ([one.usage.prompt_tokens for one in answers] for answers in (found, expected))
    told = f"{answered} of {len(found)} answered, prompts have {there} tokens, by transformers {here}"
    return Trial(name, answered == len(found), told)


def scores_agree(name: str, model: Backend, expected: Sequence[Likelihood]) -> Trial:
    """Means per scored token, how many tokens are scored, and each of them where the model tells that."""
    found = scored_requests(model, *_texts())
    if failed := [str(one.error) for one in found if one.status is not Status.OK]:
        return Trial(name, False, failed[0])
    gap = max(abs(_mean(one) - _mean(other)) for one, other in zip(found, expected, strict=True))
    tokens = [one.tokens for one in found] == [other.tokens for other in expected]
    told = f"largest difference {gap:.1e} nats per token, scored tokens {'equal' if tokens else 'differ'}"
    if model.can_score_tokens:
        single = max(abs(a - b) for a, b in zip(_values(found), _values(expected), strict=True))
        told, gap = f"{told}, {single:.1e} for a single token", max(gap, single)
    return Trial(name, tokens and gap < TOLERANCE, told)


def too_long_is_told(name: str, model: Backend) -> Trial:
    """A prompt that the server refuses is the error of its sample alone."""
    (found,) = ask(model, Request(0, "warm " * 3 * LENGTH, _OUT))
    passed = found.status is Status.ERROR and not found.fatal and str(LENGTH) in str(found.error)
    return Trial(name, passed, f"a prompt that is too long: {str(found.error)[:100]}")


def report(subject: str, trials: Sequence[Trial]) -> int:
    """Prints them; the exit status is 0 if all passed."""
    libraries = ", ".join(f"{name} {version(name)}" for name in ("transformers", "torch"))
    sys.stdout.write(f"{subject}; compared with {libraries}, Python {platform.python_version()}\n")
    for trial in trials:
        sys.stdout.write(f"{'passed' if trial.passed else 'FAILED'}  {trial.name}: {trial.told}\n")
    return 0 if all(trial.passed for trial in trials) else 1


def _results(model: Path, jobs: Sequence[Request | ScoreRequest], *, chat: bool) -> list[Any]:
    engine = HFEngine(HFOptions(path=str(model), chat=chat, max_seq_len=LENGTH))
    found = dict(engine.add(jobs))
    while engine.is_busy:
        found |= dict(engine.step())
    return [found[job.index] for job in jobs]


def _texts() -> list[ScoreRequest]:
    return [ScoreRequest(100 + n, *text, tokenwise=True) for n, text in enumerate(_SCORED)]


def _values(found: Sequence[Likelihood]) -> list[float]:
    return [value for one in found for value in one.token_log_probabilities or ()]


def _mean(found: Likelihood) -> float:
    return found.log_likelihood / found.tokens


def _clean(found: Completion) -> str:
    """Without a character that the output limit cut in two."""
    return found.texts[0].rstrip("\N{REPLACEMENT CHARACTER}").strip()
