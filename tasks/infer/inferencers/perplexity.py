"""Inferencers that ask how likely the model finds a text."""

from collections.abc import Sequence
from typing import Any

from tasks.infer.inferencers.interface import Ask, Dialogue, Inferencer, Limits, outcome_fields
from tasks.infer.inferencers.likelihood_requests import (
    best,
    bits_per_byte,
    example_fields,
    label_texts,
    likelihood,
    mean_nll,
    option_asks,
    prompt_string,
    scored_texts,
    shown_examples,
    text_of,
    with_gold,
)
from tasks.infer.ledger.records import RequestRecord
from tasks.models.interface import Request, ScoreRequest
from tasks.prompts.renderer import PromptRenderer
from tasks.spec.status import Status

_NORMALIZER = "normalizer of "


class PPLInferencer(Inferencer):
    """Chooses the label whose text the model finds least surprising, per token."""

    way = "ppl"
    scores = True

    def __init__(
        self,
        labels: Sequence[Any] | None = None,
        normalizing_str: str | None = None,
        batch_size: int | None = None,
        max_out_len: int | None = None,
    ) -> None:
        """Options as in OpenCompass.

        Args:
            labels: What is chosen from; else the labels of the template, else the distinct references.
            normalizing_str: A neutral context; how surprising an option is under it is subtracted.
            batch_size: Accepted for compatibility: engines fill their batches themselves.
            max_out_len: Accepted for compatibility: nothing is generated.
        """
        self.labels = labels
        self.normalizing_str = normalizing_str
        self.batch_size = batch_size
        self.max_out_len = max_out_len

    def dialogue(self, renderer: PromptRenderer, row: int, limits: Limits) -> Dialogue:
        asks = option_asks(label_texts(renderer, row), row)
        if self.normalizing_str is not None:
            asks += [_under(self.normalizing_str, ask) for ask in asks]
        yield asks

    def sample(self, records: Sequence[RequestRecord], gold: Any) -> dict[str, Any]:
        options = [record for record in records if not record.part.startswith(_NORMALIZER)]
        normalizers = {
            record.part.removeprefix(_NORMALIZER): mean_nll(likelihood(record))
            for record in records
            if record.part.startswith(_NORMALIZER)
        }
        sample: dict[str, Any] = {"in-context examples": shown_examples(options[0])}
        surprises: list[float] = []
        for record, scored in zip(options, scored_texts(options), strict=True):
            score = likelihood(record)
            surprises.append(mean_nll(score) - normalizers.get(record.part, 0.0))
            sample[f"label: {record.part}"] = {
                **example_fields(record),
                "prompt": record.prompt,
                "PPL": surprises[-1],
                "BPB": bits_per_byte(score, scored),
                "log_likelihood": score.log_likelihood,
                "tokens": score.tokens,
            }
        labels = [record.part for record in options]
        sample["prediction"] = _chosen(records, labels, [-surprise for surprise in surprises])
        return with_gold(sample, gold) | outcome_fields(records)


class LLInferencer(Inferencer):
    """Chooses the label under which the row's continuation is likeliest, or whose own text is."""

    way = "ll"
    scores = True

    def __init__(
        self, labels: Sequence[Any] | None = None, batch_size: int | None = None, max_out_len: int | None = None
    ) -> None:
        """`batch_size` and `max_out_len` are accepted for compatibility."""
        self.labels = labels
        self.batch_size = batch_size
        self.max_out_len = max_out_len

    def dialogue(self, renderer: PromptRenderer, row: int, limits: Limits) -> Dialogue:
        texts = label_texts(renderer, row)
        continuation = renderer.row(row).get("cont")
        if (
            isinstance(continuation, str)
            and continuation
            and all(t.text.endswith(continuation) for t in texts.values())
        ):
            end = -len(continuation)
            yield [
                Ask(ScoreRequest(row, label.text[:end], label.text[end:]), name, label.examples)
                for name, label in texts.items()
            ]
        else:
            yield option_asks(texts, row)

    def sample(self, records: Sequence[RequestRecord], gold: Any) -> dict[str, Any]:
        scores = [likelihood(record) for record in records]
        sample: dict[str, Any] = {"in-context examples": shown_examples(records[0])} | {
            f"label: {record.part}": {
                **example_fields(record),
                "prompt": record.prompt,
                "Loglikelihood": score.log_likelihood,
                "Loglikelihood per token": -mean_nll(score),
                "tokens": score.tokens,
            }
            for record, score in zip(records, scores, strict=True)
        }
        labels = [record.part for record in records]
        sample["prediction"] = _chosen(records, labels, [score.log_likelihood for score in scores])
        return with_gold(sample, gold) | outcome_fields(records)


class PPLOnlyInferencer(Inferencer):
    """How surprising each row's text is, per token; there is nothing to choose."""

    way = "ppl"
    scores = True

    def __init__(self, batch_size: int | None = None, max_out_len: int | None = None, save_every: int = 1) -> None:
        """All options are accepted for compatibility."""
        self.batch_size = batch_size
        self.max_out_len = max_out_len
        self.save_every = save_every

    def dialogue(self, renderer: PromptRenderer, row: int, limits: Limits) -> Dialogue:
        yield [Ask(ScoreRequest(row, "", text_of(renderer.complete(row), renderer)))]

    def sample(self, records: Sequence[RequestRecord], gold: Any) -> dict[str, Any]:
        [record] = records
        score = likelihood(record)
        sample = {"origin_prompt": record.prompt, "ppl": mean_nll(score) if score.tokens else None}
        sample |= {"log_likelihood": score.log_likelihood, "token_len": score.tokens}
        sample |= {"BPB": bits_per_byte(score, prompt_string(record.prompt)) if score.tokens else None}
        return sample | outcome_fields(records)


class InferencePPLOnlyInferencer(PPLOnlyInferencer):
    """How surprising the answer in each row is, per token, where the model would have to give it."""

    def dialogue(self, renderer: PromptRenderer, row: int, limits: Limits) -> Dialogue:
        question = text_of(renderer.generation(row), renderer)
        text = text_of(renderer.complete(row), renderer)
        start = len(question.rstrip(" ")) if text.startswith(question.rstrip(" ")) else 0
        yield (
            [Ask(ScoreRequest(row, text[:start], text[start:]))]
            if start < len(text)
            else [Ask(ScoreRequest(row, "", text))]
        )

    def sample(self, records: Sequence[RequestRecord], gold: Any) -> dict[str, Any]:
        sample = super().sample(records, gold)
        del sample["BPB"]  # the records do not tell which bytes were scored
        return sample


def _under(context: str, ask: Ask) -> Ask:
    """The same option under another context."""
    request = ask.request
    assert not isinstance(request, Request)
    return Ask(ScoreRequest(request.index, context, request.continuation), _NORMALIZER + ask.part)


def _chosen(records: Sequence[RequestRecord], labels: Sequence[str], values: Sequence[float]) -> str | None:
    if any(record.result.status is Status.ERROR for record in records):
        return None
    return best(labels, values)
