"""Generates a batch of answers with transformers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, NamedTuple

from tasks.models.engines.batches import padded
from tasks.models.interface import Sampling

_MARGIN = 4
"""Tokens looked at beyond those of a stop string, as it may be split in other ways."""


@dataclass(frozen=True, slots=True)
class Prompted:
    """One prompt of a batch."""

    ids: list[int]
    stop: tuple[str, ...]


class Generated(NamedTuple):
    """One answer of a batch."""

    text: str
    tokens: int
    finish_reason: str


class Generator:
    """Generates with one model; greedily unless `generation_kwargs` say otherwise."""

    def __init__(
        self, model: Any, tokenizer: Any, *, pad: int, ends: Sequence[int], generation_kwargs: Mapping[str, Any]
    ) -> None:
        self._torch: Any = import_module("torch")
        self._model = model
        self._tokenizer = tokenizer
        self._pad = pad
        self._ends = list(ends)
        self._kwargs: dict[str, Any] = {"do_sample": False, **generation_kwargs}
        if not self._kwargs["do_sample"]:
            # Greedy search has no use for them, and warns of those that the model's own configuration sets.
            self._kwargs = {"temperature": None, "top_p": None, "top_k": None, **self._kwargs}

    @property
    def samples(self) -> bool:
        """Whether two answers to one prompt can differ."""
        return bool(self._kwargs["do_sample"] or self._kwargs.get("num_beams", 1) > 1)

    def run(
        self,
        batch: Sequence[Prompted],
        *,
        max_new: int,
        min_new: int,
        sequences: int,
        sampling: Sampling | None = None,
    ) -> list[list[Generated]]:
        """The answers to each prompt, `sequences` of them; `sampling` goes before the model's own settings."""
        torch = self._torch
        ids, mask = padded([prompted.ids for prompted in batch], self._pad, left=True)
        width = len(ids[0])
        stops = [prompted.stop for prompted in batch for _ in range(sequences)]
        criteria = [_StopStrings(self._tokenizer, stops, width, torch)] if any(stops) else []
        with torch.inference_mode():
            out = self._model.generate(
                input_ids=torch.tensor(ids, device=self._model.device),
                attention_mask=torch.tensor(mask, device=self._model.device),
                stopping_criteria=criteria,
                pad_token_id=self._pad,
                **{
                    "eos_token_id": self._ends or None,
                    "min_new_tokens": min_new or None,
                    "num_return_sequences": sequences,
                    **self._kwargs,
                    **({"do_sample": True, **sampling.given} if sampling else {}),
                    "max_new_tokens": max_new,
                },
            )
        rows = [self._read(row, stop, max_new) for row, stop in zip(out[:, width:].tolist(), stops, strict=True)]
        return [rows[at : at + sequences] for at in range(0, len(rows), sequences)]

    def _read(self, row: list[int], stop: tuple[str, ...], max_new: int) -> Generated:
        end = next((at for at, token in enumerate(row) if token in self._ends), None)
        text: str = self._tokenizer.decode(row[:end], skip_special_tokens=True)
        if end is not None:
            return Generated(text, end + 1, "stop")
        if any(word in text for word in stop):
            return Generated(text, _without_filler(row, self._pad), "stop")
        return Generated(text, len(row), "length" if len(row) >= max_new else "stop")


class _StopStrings:
    """Ends the rows of a batch whose newest text holds one of their stop strings (transformers' stopping criterion)."""

    def __init__(self, tokenizer: Any, stops: Sequence[tuple[str, ...]], width: int, torch: Any) -> None:
        self._tokenizer = tokenizer
        self._stops = stops
        self._width = width
        self._torch = torch
        words = {word for stop in stops for word in stop}
        self._window = _MARGIN + max(len(tokenizer.encode(word, add_special_tokens=False)) for word in words)
        self._done = [False] * len(stops)

    def __call__(self, input_ids: Any, scores: Any, **_: Any) -> Any:
        start = max(self._width, input_ids.shape[1] - self._window)
        tails = self._tokenizer.batch_decode(input_ids[:, start:], skip_special_tokens=True)
        self._done = [
            done or any(word in tail for word in stop)
            for done, tail, stop in zip(self._done, tails, self._stops, strict=True)
        ]
        return self._torch.tensor(self._done, device=input_ids.device, dtype=self._torch.bool)


def _without_filler(row: list[int], pad: int) -> int:
    """Length of the row without the filler behind an answer that ended before the others."""
    length = len(row)
    while length and row[length - 1] == pad:
        length -= 1
    return length
