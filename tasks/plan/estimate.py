"""How much a pair will cost in requests and prompt tokens, estimated from a few of its rows."""

from dataclasses import dataclass

from tasks.models.token_count import Estimate
from tasks.plan.checks import importable
from tasks.plan.rendering import PairPrompts
from tasks.plan.run_plan import PairPlan, RunPlan

_SAMPLED_ROWS = 32


@dataclass(frozen=True)
class PairEstimate:
    """None where the data or a class is missing."""

    requests: int | None
    prompt_tokens: int | None


def estimate(plan: RunPlan, pair: PairPlan) -> PairEstimate:
    """Renders some rows spread over the pair and scales up.

    Later rounds of a dialogue depend on answers and are not foreseen.
    """
    classes = (pair.model.type, pair.dataset.inferencer["type"])
    if pair.data is None or pair.samples is None or any(importable(c, plan.search_path) is None for c in classes):
        return PairEstimate(None, None)
    rendered = PairPrompts(pair.model, pair.dataset, pair.data, plan.search_path)
    rows = rendered.rows(plan.request.limit)
    sampled = [rows[position] for position in range(0, len(rows), max(1, len(rows) // _SAMPLED_ROWS))]
    prompts = [prompt for row in sampled for prompt in rendered.prompts(row)]
    scale, count = len(rows) / len(sampled), Estimate()
    return PairEstimate(round(scale * len(prompts)), round(scale * sum(map(count, prompts))))
