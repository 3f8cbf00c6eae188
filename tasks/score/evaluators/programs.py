"""From predictions that hold programs to verdicts and details; what all evaluators of code have in common."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from tasks.score.sandbox.program import Limits, Outcome, Program, Verdict
from tasks.score.sandbox.runner import CodeRunner

ProgramOf = Callable[[str, int], Program]
"""From the text of an answer and the index of its sample to the program; no sources where the answer has none."""


@dataclass(frozen=True, slots=True)
class Judged:
    """The programs of one sample, several where the model gave several answers."""

    prediction: Any
    programs: list[Program]
    outcomes: list[Outcome]

    @property
    def right(self) -> list[bool]:
        return [outcome.verdict is Verdict.PASSED for outcome in self.outcomes]

    @property
    def results(self) -> list[Verdict]:
        return [outcome.verdict for outcome in self.outcomes]

    def detail(self) -> dict[str, Any]:
        """`origin`, `programs` (the source that ran), `result`, `is_correct`, `error`: lists for several answers."""
        columns: dict[str, list[Any]] = {
            "programs": [_source(*pair) for pair in zip(self.programs, self.outcomes, strict=True)],
            "result": [str(outcome.verdict) for outcome in self.outcomes],
            "is_correct": self.right,
            "error": [outcome.error for outcome in self.outcomes],
        }
        is_list = isinstance(self.prediction, list)
        return {"origin": self.prediction, **{key: column if is_list else column[0] for key, column in columns.items()}}


def judge(predictions: Sequence[Any], program_of: ProgramOf, runner: CodeRunner, limits: Limits) -> list[Judged]:
    """Runs the programs of all predictions, of which each is a text or a list of texts."""
    programs = [
        [program_of(str(text), index) for text in (prediction if isinstance(prediction, list) else [prediction])]
        for index, prediction in enumerate(predictions)
    ]
    outcomes = iter(runner.run([program for own in programs for program in own], limits))
    return [
        Judged(prediction, own, [next(outcomes) for _ in own])
        for prediction, own in zip(predictions, programs, strict=True)
    ]


def columns_of(test_set: Any, *names: str) -> list[tuple[Any, ...]]:
    """The columns of every row that an evaluator cannot do without; ValueError naming one that is missing."""
    try:
        return [tuple(row[name] for name in names) for row in test_set]
    except KeyError as error:
        raise ValueError(f"the dataset has no column {error}; this evaluator reads {', '.join(names)}") from None


def _source(program: Program, outcome: Outcome) -> str:
    return program.sources[outcome.reading] if program.sources else ""
