"""The inferencer that asks which of a few labels the model would say next."""

import math
from collections.abc import Sequence
from typing import Any

from tasks.infer.inferencers.interface import Ask, Dialogue, Inferencer, Limits, outcome_fields
from tasks.infer.inferencers.likelihood_requests import likelihood, text_of, with_gold
from tasks.infer.ledger.records import RequestRecord
from tasks.models.interface import ScoreRequest
from tasks.prompts.renderer import PromptRenderer
from tasks.spec.findings import Finding, UserError, nearest
from tasks.spec.status import Status

_COLUMN = "choices"


class CLPInferencer(Inferencer):
    """The probabilities of the labels after the prompt; they add up to 1."""

    way = "clp"
    scores = True

    def __init__(
        self,
        single_token: bool = True,
        batch_size: int | None = None,
        max_out_len: int | None = None,
        choices: Sequence[str] | None = None,
    ) -> None:
        """`choices` are the labels of every row; without it each row's column `choices` holds its own.

        `batch_size` and `max_out_len` are accepted for compatibility.
        """
        if not single_token:
            raise UserError(
                Finding(
                    "CLPInferencer compares single tokens only", remedy="leave single_token out, or use LLInferencer"
                )
            )
        self.single_token = single_token
        self.batch_size = batch_size
        self.max_out_len = max_out_len
        self.choices = choices

    def dialogue(self, renderer: PromptRenderer, row: int, limits: Limits) -> Dialogue:
        columns = renderer.row(row)
        choices = self.choices or columns.get(_COLUMN)
        if choices is None:
            message = f"the rows have no column {_COLUMN!r}, whose labels CLPInferencer compares"
            raise UserError(Finding(message, renderer.place, nearest(_COLUMN, columns)))
        prompt = text_of(renderer.generation(row), renderer)
        yield [Ask(ScoreRequest(row, prompt, str(choice)), str(choice)) for choice in choices]

    def sample(self, records: Sequence[RequestRecord], gold: Any) -> dict[str, Any]:
        prompt = str(records[0].prompt).removesuffix(records[0].part)
        choices = [record.part for record in records]
        sample: dict[str, Any] = {"testing input": prompt, "prompt": prompt, "choices": choices}
        if all(record.result.status is not Status.ERROR for record in records):
            probabilities = _shares([likelihood(record).log_likelihood for record in records])
            sample |= {"prediction": probabilities, "pred_label": probabilities.index(max(probabilities))}
        else:
            sample["prediction"] = None
        sample = with_gold(sample, gold) | outcome_fields(records)
        doubts = _doubts(prompt, records)
        return sample | {"note": "; ".join(doubts)} if doubts else sample


def _shares(logarithms: Sequence[float]) -> list[float]:
    largest = max(logarithms)
    weights = [math.exp(value - largest) for value in logarithms]
    return [weight / sum(weights) for weight in weights]


def _doubts(prompt: str, records: Sequence[RequestRecord]) -> list[str]:
    """Why the probabilities may say little: labels of several tokens, or of another token behind a blank."""
    long = [record.part for record in records if likelihood(record).tokens > 1]
    doubts = [f"labels of several tokens: {', '.join(long)}"] if long else []
    if prompt and not prompt[-1].isspace() and not any(record.part.startswith(" ") for record in records):
        doubts.append("labels follow the prompt without a blank; with one they are other tokens")
    return doubts
