"""Evaluators of what a model thinks of a text: averages over the fields that likelihood inferencers store."""

from collections.abc import Sequence
from math import log
from typing import Any

from tasks.score.interface import BaseEvaluator


class AveragePPLEvaluator(BaseEvaluator):
    """`average_ppl`: the mean of the samples' perplexities; `bits_per_byte` where the inferencer stored that too."""

    def score(self, ppl: Sequence[float], BPB: Sequence[float] | None = None) -> dict[str, Any]:  # noqa: N803  # pyright: ignore[reportIncompatibleMethodOverride]
        metrics = {"average_ppl": _mean(ppl, "ppl")}
        columns = {"average_ppl": ppl}
        if BPB is not None:
            metrics["bits_per_byte"] = _mean(BPB, "BPB")
            columns["bits_per_byte"] = BPB
        rows = zip(*columns.values(), strict=True)
        return metrics | {"details": [dict(zip(columns, row, strict=True)) for row in rows]}


class AverageMinKEvaluator(BaseEvaluator):
    """`average_mink`: the mean Min-K% log-likelihood of the samples (Shi et al. 2023, arXiv:2310.16789)."""

    def score(self, mink: Sequence[float]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        return {"average_mink": _mean(mink, "mink"), "details": [{"average_mink": value} for value in mink]}


class AverageInferencePPLEvaluator(BaseEvaluator):
    """`average_ppl`: the mean loss per token over all tokens of all samples.

    It comes from `log_likelihood` where that is stored; OpenCompass stores each sample's summed loss as `ppl`.
    """

    def score(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, ppl: Sequence[float], token_len: Sequence[float], log_likelihood: Sequence[float] | None = None
    ) -> dict[str, Any]:
        losses = ppl if log_likelihood is None else log_likelihood
        _check(losses, "ppl" if log_likelihood is None else "log_likelihood")
        _check(token_len, "token_len")
        if not sum(token_len):
            raise ValueError("the samples have no tokens")
        total = sum(ppl) if log_likelihood is None else -sum(log_likelihood)
        return {"average_ppl": total / sum(token_len)}


class BPCEvaluator(BaseEvaluator):
    """`bpc`: bits per character, from losses in nats.

    `total_chr_num` holds the characters of each sample or, as OpenCompass writes it, those of the whole text in every
    record.
    """

    def score(self, loss: Sequence[float], total_chr_num: Sequence[float]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        _check(loss, "loss")
        _check(total_chr_num, "total_chr_num")
        is_total = len(total_chr_num) > 1 and len(set(total_chr_num)) == 1
        characters = total_chr_num[0] if is_total else sum(total_chr_num)
        if not characters:
            raise ValueError("the text has no characters")
        return {"bpc": sum(loss) / characters / log(2)}


def _mean(values: Sequence[float], field: str) -> float:
    _check(values, field)
    return sum(values) / len(values)


def _check(values: Sequence[Any], field: str) -> None:
    """ValueError unless there are numbers only."""
    bad = next((index for index, value in enumerate(values) if not isinstance(value, int | float)), None)
    if not values or bad is not None:
        raise ValueError("there are no samples" if bad is None else f"sample {bad} has no {field}: {values[bad]!r:.80}")
