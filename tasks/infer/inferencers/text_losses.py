"""Inferencers that look for texts a model was trained on, or measure how well it compresses them."""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from tasks.infer.inferencers.interface import Ask, Dialogue, Inferencer, Limits, outcome_fields
from tasks.infer.inferencers.likelihood_requests import likelihood, prompt_string, text_of
from tasks.infer.ledger.records import RequestRecord
from tasks.models.interface import ScoreRequest
from tasks.models.token_count import Estimate
from tasks.prompts.renderer import PromptRenderer
from tasks.spec.findings import Finding, UserError
from tasks.spec.status import Status

_UNIT = re.compile(r"\s*[A-Za-z0-9_]+|\s*\S|\s+")
"""A word or a sign with the blanks before it: where a text may be cut without cutting a token, nearly always."""


class MinKPercentInferencer(Inferencer):
    """The mean log-probability of the least likely `k` percent of a text's tokens (Shi et al. 2023, arXiv:2310.16789).

    Texts that were in the training data have few tokens that surprise: theirs is closer to zero.
    """

    way = "ppl"
    scores = True
    needs_tokens = True

    def __init__(
        self, k: int = 20, batch_size: int | None = None, max_out_len: int | None = None, save_every: int = 1
    ) -> None:
        """Options as in OpenCompass, and `k`.

        Args:
            k: How many percent of the tokens count, rounded down, one at least.
            batch_size: Accepted for compatibility: engines fill their batches themselves.
            max_out_len: Accepted for compatibility: nothing is generated.
            save_every: Accepted for compatibility: every answer is saved when it arrives.
        """
        if not 0 < k <= 100:
            raise UserError(Finding(f"k is a percentage, not {k}"))
        self.k = k
        self.batch_size = batch_size
        self.max_out_len = max_out_len
        self.save_every = save_every

    def dialogue(self, renderer: PromptRenderer, row: int, limits: Limits) -> Dialogue:
        yield [Ask(ScoreRequest(row, "", text_of(renderer.complete(row), renderer), tokenwise=True))]

    def sample(self, records: Sequence[RequestRecord], gold: Any) -> dict[str, Any]:
        [record] = records
        score = likelihood(record)
        sample = {"origin_prompt": record.prompt, "mink": lowest_mean(score.token_log_probabilities or (), self.k)}
        return sample | {"token_len": score.tokens} | outcome_fields(records)


class SWCELossInferencer(Inferencer):
    """The summed cross-entropy of each row's text, which a window of `block_size` tokens slides over.

    The first window is scored whole; each further one scores `stride` tokens under those before them. Rows are scored
    apart from each other, to their end.
    """

    way = "ppl"
    scores = True

    def __init__(
        self,
        block_size: int = 1900,
        stride: int = 512,
        batch_size: int | None = None,
        max_out_len: int | None = None,
        save_every: int = 1,
    ) -> None:
        """Options as in OpenCompass.

        Args:
            block_size: Tokens of a window, given and scored; less where the model takes less.
            stride: Tokens that each further window scores.
            batch_size: Accepted for compatibility: engines fill their batches themselves.
            max_out_len: Accepted for compatibility: nothing is generated.
            save_every: Accepted for compatibility: every answer is saved when it arrives.
        """
        if not 0 < stride <= block_size:
            raise UserError(Finding(f"stride={stride} does not lie between 1 and block_size={block_size}"))
        self.block_size = block_size
        self.stride = stride
        self.batch_size = batch_size
        self.max_out_len = max_out_len
        self.save_every = save_every

    def dialogue(self, renderer: PromptRenderer, row: int, limits: Limits) -> Dialogue:
        text = text_of(renderer.complete(row), renderer)
        block = min(self.block_size, (renderer.max_prompt_tokens or self.block_size + 1) - 1)
        count = renderer.count_tokens or Estimate()
        yield [
            Ask(
                ScoreRequest(row, text[window.context : window.start], text[window.start : window.end]),
                f"characters {window.start}:{window.end}",
            )
            for window in windows(text, count, block, min(self.stride, block))
        ]

    def sample(self, records: Sequence[RequestRecord], gold: Any) -> dict[str, Any]:
        places = [tuple(map(int, record.part.split()[1].split(":"))) for record in records]
        pieces = [prompt_string(r.prompt)[start - end :] for r, (start, end) in zip(records, places, strict=True)]
        scores = [likelihood(record) for record in records]
        is_whole = all(score.status is not Status.ERROR for score in scores)
        sample = {
            "origin_prompt": "".join(pieces),
            "loss": -sum(score.log_likelihood for score in scores) if is_whole else None,
            "total_chr_num": places[-1][1],
            "token_len": sum(score.tokens for score in scores),
        }
        return sample | outcome_fields(records)


def lowest_mean(values: Sequence[float], percent: int) -> float | None:
    """The mean of the lowest `percent` of the values, of one at least; None without any."""
    lowest = sorted(values)[: max(1, len(values) * percent // 100)]
    return sum(lowest) / len(lowest) if lowest else None


class Window(NamedTuple):
    """Where a window lies in its text, in characters."""

    context: int
    """What is given begins here."""
    start: int
    """What is scored begins here."""
    end: int


def windows(text: str, count: Callable[[str], int], block: int, stride: int) -> Iterator[Window]:
    """Windows of about `block` tokens whose scored parts make up the text: `block` tokens, then `stride` each time."""
    units = [match.span() for match in _UNIT.finditer(text)] or [(0, len(text))]
    sizes = [max(1, count(text[start:end])) for start, end in units]
    first = 0
    while first < len(units):
        last = _reach(sizes[first:], stride if first else block)
        given = _reach(sizes[:first][::-1], block - stride, least=0) if first else 0
        yield Window(units[first - given][0], units[first][0], units[first + last - 1][1])
        first += last


def _reach(sizes: Sequence[int], limit: int, least: int = 1) -> int:
    """How many of the sizes fit into the limit; `least` of them even if they do not."""
    total = fitting = 0
    for size in sizes:
        total += size
        if total > limit:
            break
        fitting += 1
    return max(fitting, min(least, len(sizes)))
