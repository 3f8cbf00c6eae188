"""Restricts a run to samples whose prompts have a given number of tokens (`--length-range A:B`)."""

from collections.abc import Sequence
from dataclasses import replace

from tasks.plan.checks.general import importable
from tasks.plan.rendering import PairPrompts
from tasks.plan.run_plan import PairPlan
from tasks.spec.findings import Finding, FindingKind


def restrict_lengths(
    pairs: Sequence[PairPlan], text: str, limit: int | None, search_path: tuple[str, ...]
) -> tuple[list[PairPlan], list[Finding]]:
    """The pairs with only the rows whose longest prompt has A to B tokens, both included; a bound may be left out.

    Pairs that cannot be rendered here stay as they are; those left without a row are dropped with a warning.
    """
    low, high = (int(bound) if bound else None for bound in text.split(":"))
    kept: list[PairPlan] = []
    findings: list[Finding] = []
    for pair in pairs:
        classes = (pair.model.type, pair.dataset.inferencer["type"])
        if pair.data is None or any(importable(name, search_path) is None for name in classes):
            kept.append(pair)
            continue
        rows = _rows_between(PairPrompts(pair.model, pair.dataset, pair.data, search_path), low, high)
        if rows:
            kept.append(_with_rows(pair, rows, limit))
        else:
            message = f"no prompt of {pair.dataset.abbr} for {pair.model.abbr} has {text} tokens: it is left out"
            findings.append(Finding(message, pair.dataset.place, kind=FindingKind.WARNING))
    return kept, findings


def _rows_between(prompts: PairPrompts, low: int | None, high: int | None) -> tuple[int, ...]:
    count = prompts.count_tokens
    lengths = ((planned.row, max(map(count, asked))) for planned, asked in prompts.all())
    return tuple(row for row, length in lengths if (low is None or length >= low) and (high is None or length <= high))


def _with_rows(pair: PairPlan, rows: tuple[int, ...], limit: int | None) -> PairPlan:
    reader = pair.dataset.reader.model_copy(update={"rows": rows})
    dataset = pair.dataset.model_copy(update={"reader": reader})
    count = len(rows) if limit is None else min(limit, len(rows))
    return replace(pair, dataset=dataset, samples=count * dataset.n)
