"""Which questions a judge is asked about the answers to one row: alone or in pairs, in which order, turn by turn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from tasks.score.subjective.dialogue_text import is_empty
from tasks.spec.specs import ShownOrder, SubjectiveSpec

Order = ShownOrder | None
_SEED = 666


@dataclass(frozen=True)
class Side:
    """One model's answers, in the order of the samples."""

    model: str
    answers: Sequence[Any]
    """None where no answer could be had; a text, or one entry per round."""

    def is_there(self, sample: int) -> bool:
        """Whether the sample has an answer, if only an empty one."""
        return self.answers[sample] is not None


@dataclass(frozen=True)
class Contest:
    """One model's answers alone, or with those of another one; `sides` stand in their usual order."""

    sides: tuple[Side, ...]
    subject: str
    """The model that is scored."""
    is_told: bool = True
    """Whether what judges did counts as done for this model; for one of the two where both ask the same."""

    @property
    def name(self) -> str:
        """What stands in the names of files, e.g. `gpt4_my-model`."""
        return "_".join(side.model for side in self.sides)

    @property
    def against(self) -> str | None:
        """The other model."""
        return next((side.model for side in self.sides if side.model != self.subject), None)


@dataclass(frozen=True, slots=True)
class Question:
    """One question to a judge."""

    sample: int
    turn: int
    """Which of the judge's prompts, from 0: benchmarks of several rounds have one for each."""
    shown: tuple[Side, ...]
    """In the order in which the judge sees them."""

    @property
    def label(self) -> str:
        """Tells the question from others about the same sample."""
        return f"{self.turn + 1}: {', '.join(side.model for side in self.shown)}"

    @property
    def empty(self) -> tuple[bool, ...]:
        """Of each answer shown, whether it says nothing."""
        return tuple(is_empty(side.answers[self.sample]) for side in self.shown)


def contests(subject: Side, opponents: Sequence[Side], spec: SubjectiveSpec) -> list[Contest]:
    """The comparisons of a model; a single one without opponents.

    A base model stands first. Where all are compared with all, the name decides, so that both sides of a comparison
    ask the same questions.
    """
    if not opponents:
        return [Contest((subject,), subject.model)]
    if spec.mode != "allpair" or spec.model_pairs:
        return [Contest((opponent, subject), subject.model) for opponent in opponents]
    pairs = [(subject, other) if subject.model < other.model else (other, subject) for other in opponents]
    return [Contest(pair, subject.model, is_told=pair[0] is subject) for pair in pairs]


def questions(contest: Contest, rows: Sequence[int], turns: int, order: Order) -> Iterator[Question]:
    """All questions of which every answer is there; `rows` are the samples' numbers in the data, for the shuffle."""
    for sample, row in enumerate(rows):
        if all(side.is_there(sample) for side in contest.sides):
            for shown in _orders(contest.sides, row, order):
                for turn in range(turns):
                    yield Question(sample, turn, shown)


def _orders(sides: tuple[Side, ...], row: int, order: Order) -> list[tuple[Side, ...]]:
    if len(sides) < 2 or order is None:
        return [sides]
    turned = sides[::-1]
    if order == "double":
        return [sides, turned]
    return [turned if Random(f"{_SEED} {row}").random() < 0.5 else sides]
