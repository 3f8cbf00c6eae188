"""What inferencers that compare likelihoods share."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

from tasks.infer.inferencers.interface import Ask
from tasks.infer.inferencers.shared_context import shared_context
from tasks.infer.ledger.records import RequestRecord
from tasks.models.interface import Likelihood, ScoreRequest
from tasks.prompts.renderer import PromptRenderer, RenderedPrompt
from tasks.spec.chat import Prompt
from tasks.spec.findings import Finding, UserError


def text_of(rendered: RenderedPrompt, renderer: PromptRenderer) -> str:
    """The prompt as the one text that is scored; UserError for a chat model's messages, which have no likelihood."""
    if isinstance(rendered.prompt, str):
        return rendered.prompt
    raise UserError(
        Finding(
            "the likelihood of chat messages is not defined",
            renderer.place,
            "ask a model that reads plain text, or use the dataset's `_gen` form",
        )
    )


@dataclass(frozen=True, slots=True)
class LabelText:
    """What is scored for one label."""

    text: str
    examples: tuple[int, int] | None
    """Where the in-context examples stand in it."""


def label_texts(renderer: PromptRenderer, row: int) -> dict[str, LabelText]:
    """The text of each label of a row."""
    full = renderer.label_prompts(row)
    texts = {label: text_of(rendered, renderer) for label, rendered in full.items()}
    if not any(rendered.examples for rendered in full.values()):
        return {label: LabelText(text, None) for label, text in texts.items()}
    bare = {label: text_of(one, renderer) for label, one in renderer.label_prompts(row, most_examples=0).items()}
    return {label: LabelText(text, _inserted(text, bare[label])) for label, text in texts.items()}


def option_asks(texts: dict[str, LabelText], row: int) -> list[Ask]:
    """One request per label: its text from where the labels part, under what they share."""
    start = shared_context([label.text for label in texts.values()])
    return [
        Ask(ScoreRequest(row, label.text[:start], label.text[start:]), name, label.examples)
        for name, label in texts.items()
    ]


def example_fields(record: RequestRecord) -> dict[str, str]:
    """The prompt of a record without its in-context examples, as `testing input`."""
    text = prompt_string(record.prompt)
    start, end = record.examples or (0, 0)
    return {"testing input": text[:start] + text[end:]}


def shown_examples(record: RequestRecord) -> str:
    """The in-context examples in the prompt of a record."""
    start, end = record.examples or (0, 0)
    return prompt_string(record.prompt)[start:end]


def _inserted(full: str, bare: str) -> tuple[int, int]:
    """The stretch of `full` that `bare` lacks."""
    end = next((at for at in range(1, len(bare) + 1) if full[-at] != bare[-at]), len(bare) + 1) - 1
    start = len(bare) - end
    return (start, len(full) - end) if full.startswith(bare[:start]) else (0, 0)


def likelihood(record: RequestRecord) -> Likelihood:
    """The record's result, which is one of a scored request."""
    return cast(Likelihood, record.result)


def mean_nll(score: Likelihood) -> float:
    """Negative log-likelihood per scored token, in nats: the logarithm of the perplexity."""
    return -score.log_likelihood / score.tokens if score.tokens else math.inf


def bits_per_byte(score: Likelihood, text: str) -> float:
    """Negative log-likelihood in bits, per UTF-8 byte of the scored text."""
    size = len(text.encode("utf-8", "surrogatepass"))
    return -score.log_likelihood / math.log(2) / size if size else math.inf


def scored_texts(records: Sequence[RequestRecord]) -> list[str]:
    """The scored part of each label's prompt."""
    texts = [prompt_string(record.prompt) for record in records]
    start = shared_context(texts)
    return [text[start:] for text in texts]


def prompt_string(prompt: Prompt) -> str:
    """The prompt of a scored request, which is text."""
    return cast(str, prompt)


def best(labels: Iterable[str], values: Iterable[float]) -> str:
    """The label with the largest value, the first of equals."""
    return max(zip(labels, values, strict=True), key=lambda item: item[1])[0]


def with_gold(sample: dict[str, Any], gold: Any) -> dict[str, Any]:
    """The sample with its reference, if there is one."""
    return sample if gold is None else sample | {"gold": gold}
