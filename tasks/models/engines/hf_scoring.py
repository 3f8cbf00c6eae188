"""Log-likelihoods with transformers: what several texts begin with is read once."""

import inspect
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from tasks.models.engines.batches import padded

_MOST_LOGITS = 1 << 27
"""Logits held at once: 512 MiB in single precision."""


@dataclass(frozen=True, slots=True)
class SharedContext:
    """Tokens that are given, and the continuations that are scored under them; all have at least one token."""

    given: tuple[int, ...]
    scored: tuple[tuple[int, ...], ...]

    @property
    def tokens(self) -> int:
        """Places it takes in a batch: the context stands there once for every continuation."""
        return len(self.scored) * (len(self.given) + max(map(len, self.scored)))


class Scorer:
    """Scores with one model."""

    def __init__(self, model: Any, pad: int) -> None:
        self._torch: Any = import_module("torch")
        self._model = model
        self._pad = pad
        parameters = inspect.signature(model.forward).parameters
        self._keeps_logits = "logits_to_keep" in parameters
        self._cache_name = "cache" if "cache" in parameters else "past_key_values"

    def run(self, batch: Sequence[SharedContext]) -> list[list[list[float]]]:
        """Natural-log probabilities of each token of each continuation of each context."""
        with self._torch.inference_mode():
            rows = iter(self._run(batch).tolist())
        return [[next(rows)[: len(tokens)] for tokens in context.scored] for context in batch]

    def _run(self, batch: Sequence[SharedContext]) -> Any:
        """One row per continuation, filled up behind its last token."""
        contexts, context_mask = self._tensors([context.given for context in batch], left=True)
        positions = (context_mask.cumsum(-1) - 1).clamp(min=0)
        last = {"logits_to_keep": 1} if self._keeps_logits else {}
        read = self._model(
            input_ids=contexts, attention_mask=context_mask, position_ids=positions, use_cache=True, **last
        )
        cache = read.past_key_values
        if not hasattr(cache, "batch_select_indices"):
            return self._without_cache(batch)
        owners = [at for at, context in enumerate(batch) for _ in context.scored]
        scored = [tokens for context in batch for tokens in context.scored]
        owner = self._torch.tensor(owners, device=contexts.device)
        first = self._chosen(read.logits[:, -1:][owner], [tokens[:1] for tokens in scored])
        if max(map(len, scored)) == 1:
            return first
        cache.batch_select_indices(owner)
        return self._torch.cat([first, *self._rest(scored, cache, context_mask[owner], positions[owner, -1:])], dim=1)

    def _rest(self, scored: Sequence[tuple[int, ...]], cache: Any, mask: Any, position: Any) -> list[Any]:
        """All tokens but the first; the sequence is read in slices so that the logits fit."""
        torch = self._torch
        tokens, token_mask = self._tensors([row[:-1] or row for row in scored], left=False)
        step = max(1, _MOST_LOGITS // (len(scored) * self._model.config.get_text_config().vocab_size))
        slices: list[Any] = []
        for start in range(0, tokens.shape[1], step):
            part, part_mask = tokens[:, start : start + step], token_mask[:, start : start + step]
            mask = torch.cat([mask, part_mask], dim=1)
            places = position + 1 + torch.arange(start, start + part.shape[1], device=tokens.device)
            known = {self._cache_name: cache, "use_cache": True}
            read = self._model(input_ids=part, attention_mask=mask, position_ids=places, **known)
            cache = read.past_key_values
            slices.append(self._chosen(read.logits, [row[start + 1 : start + 1 + part.shape[1]] for row in scored]))
        return slices

    def _without_cache(self, batch: Sequence[SharedContext]) -> Any:
        """For models whose state cannot be copied: every text is read as a whole."""
        torch = self._torch
        pairs = [(context.given, tokens) for context in batch for tokens in context.scored]
        rows: list[Any] = []
        for given, tokens in pairs:
            ids, mask = self._tensors([(*given, *tokens[:-1])], left=False)
            logits = self._model(input_ids=ids, attention_mask=mask, use_cache=False).logits
            rows.append(self._chosen(logits[:, len(given) - 1 :], [tokens])[0])
        return torch.nn.utils.rnn.pad_sequence(rows, batch_first=True)

    def _chosen(self, logits: Any, targets: Sequence[Sequence[int]]) -> Any:
        """Per row, the log-probabilities of its targets, and 0 at the places beyond them."""
        torch = self._torch
        width = logits.shape[1]
        ids = [[*row, *[0] * (width - len(row))] for row in targets]
        counted = [[1.0] * len(row) + [0.0] * (width - len(row)) for row in targets]
        wanted = torch.tensor(ids, device=logits.device)
        chosen = logits.gather(-1, wanted[..., None]).squeeze(-1).float()
        total = torch.stack([torch.logsumexp(row.float(), dim=-1) for row in logits])
        return (chosen - total) * torch.tensor(counted, device=logits.device)

    def _tensors(self, rows: Sequence[Sequence[int]], *, left: bool) -> tuple[Any, Any]:
        ids, mask = padded(rows, self._pad, left=left)
        device = self._model.device
        return self._torch.tensor(ids, device=device), self._torch.tensor(mask, device=device)
