"""What the answers took: tokens and money, for each model and for all."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from tasks.report.summary.scores import Cell, Scores
from tasks.spec.specs import cost

Prices = Mapping[str, Mapping[str, float] | None]
"""By the name of a model's column."""


@dataclass(frozen=True)
class Spent:
    """Tokens as the services counted them, and dollars where the model has prices."""

    prompt_tokens: int
    completion_tokens: int
    cost: float | None

    def __add__(self, other: "Spent") -> "Spent":
        known = [amount for amount in (self.cost, other.cost) if amount is not None]
        return Spent(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
            sum(known) if known else None,
        )

    def to_json(self) -> dict[str, Any]:
        """As `--json` prints it."""
        return {"prompt_tokens": self.prompt_tokens, "completion_tokens": self.completion_tokens, "dollars": self.cost}

    def __str__(self) -> str:
        tokens = f"{self.prompt_tokens:,} tokens in, {self.completion_tokens:,} out"
        return tokens if self.cost is None else f"{tokens}, ${dollars(self.cost)}"


def total(parts: Iterable[Spent]) -> Spent | None:
    """All of it; None for nothing."""
    known = list(parts)
    return sum(known[1:], known[0]) if known else None


def spent_on(cell: Cell, prices: Mapping[str, float] | None) -> Spent | None:
    """What one pair took; None where nothing was counted."""
    return told_by(cell.own, prices)


def told_by(own: Mapping[str, Any], prices: Mapping[str, float] | None) -> Spent | None:
    """What the answers of a pair took, as its results file tells; None where nothing was counted."""
    tokens: Any = own.get("tokens")
    if not isinstance(tokens, Mapping):
        return None
    read, written = (_count(tokens.get(name)) for name in ("prompt_tokens", "completion_tokens"))
    return Spent(read, written, cost(prices, read, written)) if read or written else None


def spent_by_model(scores: Scores, prices: Prices) -> dict[str, Spent]:
    """Tokens and dollars of all datasets; models of which nothing was counted are missing."""
    by_model: dict[str, Spent] = {}
    for (model, _), cell in scores.cells.items():
        spent = spent_on(cell, prices.get(model))
        if spent is not None:
            by_model[model] = by_model[model] + spent if model in by_model else spent
    return by_model


def spent_by_judge(scores: Scores) -> dict[str, Spent]:
    """Tokens and dollars of the judges, for all that they judged."""
    by_judge: dict[str, Spent] = {}
    for cell in scores.cells.values():
        for judge, spent in judges_in(cell.own):
            by_judge[judge] = by_judge[judge] + spent if judge in by_judge else spent
    return by_judge


def judges_in(own: Mapping[str, Any]) -> Iterator[tuple[str, Spent]]:
    """What each judge of a pair took, as its results file tells; those of which nothing was counted are missing."""
    for told in own.get("judges") or ():
        read, written = (_count(told["tokens"].get(name)) for name in ("prompt_tokens", "completion_tokens"))
        if read or written:
            yield str(told["judge"]), Spent(read, written, told["cost"])


def spent_lines(scores: Scores, prices: Prices) -> list[str]:
    """One line per model and per judge that anything was counted for, and one for all together."""
    by_model, by_judge = spent_by_model(scores, prices), spent_by_judge(scores)
    lines = [f"{model}: {spent}" for model, spent in by_model.items()]
    lines += [f"judge {judge}: {spent}" for judge, spent in by_judge.items()]
    if len(lines) > 1:
        everything = total([*by_model.values(), *by_judge.values()])
        lines.append(f"all models{' and judges' if by_judge else ''}: {everything}")
    return lines


def dollars(amount: float) -> str:
    """Cents, or as many digits as a small amount needs."""
    return f"{amount:.2f}" if amount >= 1 else f"{amount:.4f}"


def _count(value: Any) -> int:
    return value if isinstance(value, int) else 0
