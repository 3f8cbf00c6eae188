"""What the longest prompt of each pair shows before anything is asked: templates that do not work, lack of room."""

from collections.abc import Sequence

from tasks.data.interface import LoadedDataset
from tasks.data.rows import plan_rows
from tasks.models.length_policy import TooLong
from tasks.plan.checks.general import importable
from tasks.plan.rendering import PairPrompts
from tasks.plan.run_plan import PairPlan
from tasks.spec.chat import Prompt
from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.specs import DatasetSpec

_MOST_LOOKED_AT = 2000
"""Rows of a dataset among which the longest is looked for."""


def check_prompts(pairs: Sequence[PairPlan], limit: int | None, search_path: tuple[str, ...]) -> list[Finding]:
    """Renders the longest row of each pair; UserErrors of templates become findings, a lack of room a warning."""
    longest: dict[str, int] = {}
    findings: list[Finding] = []
    for pair in pairs:
        classes = (pair.model.type, pair.dataset.inferencer["type"])
        if pair.data is None or any(importable(name, search_path) is None for name in classes):
            continue
        abbr = pair.dataset.abbr
        if abbr not in longest:
            longest[abbr] = _longest_row(pair.dataset, pair.data, limit)
        try:
            findings += _check(PairPrompts(pair.model, pair.dataset, pair.data, search_path), longest[abbr], limit)
        except UserError as error:
            findings += [finding for finding in error.findings if finding not in findings]
    return findings


def _check(prompts: PairPrompts, position: int, limit: int | None) -> list[Finding]:
    context = prompts.model.arguments.get("max_seq_len")
    asked = prompts.prompts(prompts.rows(limit)[position])
    if not isinstance(context, int):
        return []
    count = prompts.count_tokens
    tokens = max((count(prompt) for prompt in asked if _is_too_long(prompts, prompt)), default=0)
    if not tokens:
        return []
    message = (
        f"a prompt of {prompts.dataset.abbr} has {tokens} tokens ({count.name}), which leaves no room in the context "
        f"of {prompts.model.abbr}, max_seq_len={context}"
    )
    remedy = "compass prompt --stats shows all lengths; --length-range restricts a run to some"
    return [Finding(message, prompts.model.place, remedy, FindingKind.WARNING)]


def _is_too_long(prompts: PairPrompts, prompt: Prompt) -> bool:
    try:
        prompts.fitted(prompt)
    except TooLong:
        return True
    return False


def _longest_row(dataset: DatasetSpec, data: LoadedDataset, limit: int | None) -> int:
    """Position of the row whose input columns hold the most text."""
    rows = plan_rows(dataset, data, limit)
    step = max(1, len(rows) // dataset.n // _MOST_LOOKED_AT)
    positions = range(0, len(rows) // dataset.n, step)
    columns = dataset.reader.input_columns
    return max(positions, key=lambda position: _length(data, rows[position].row, columns))


def _length(data: LoadedDataset, row: int, columns: Sequence[str]) -> int:
    values = data.test[row]
    return sum(len(str(values.get(column, ""))) for column in columns)
