"""How much a pair will cost in requests and prompt tokens, estimated from a few of its rows."""

from dataclasses import dataclass
from typing import Any

from tasks.data.rows import plan_rows
from tasks.plan.run_plan import PairPlan, RunPlan
from tasks.prompts.renderer import PromptRenderer
from tasks.spec.chat import Prompt, prompt_text
from tasks.spec.type_loading import import_type

_SAMPLED_ROWS = 32


@dataclass(frozen=True)
class PairEstimate:
    """None where the data is missing."""

    requests: int | None
    prompt_tokens: int | None


def estimate(plan: RunPlan, pair: PairPlan) -> PairEstimate:
    """Renders some rows spread over the pair and scales up."""
    if pair.data is None or pair.samples is None:
        return PairEstimate(None, None)
    rows = plan_rows(pair.dataset, pair.data, plan.request.limit)
    step = max(1, len(rows) // _SAMPLED_ROWS)
    sampled = [rows[position] for position in range(0, len(rows), step)]
    if not sampled:
        return PairEstimate(0, 0)
    backend: Any = import_type(pair.model.type, plan.search_path)
    renderer = PromptRenderer(
        pair.dataset, pair.data, prompt_form=backend.prompt_form, meta_template=pair.model.meta_template, search_path=plan.search_path
    )
    first_rounds = [_first_round(plan, pair, renderer, row.row) for row in sampled]
    tokens = sum(_COUNT(_prompt(ask)) for asks in first_rounds for ask in asks)
    requests = sum(len(asks) for asks in first_rounds)
    scale = len(rows) / len(sampled)
    return PairEstimate(round(requests * scale), round(tokens * scale))


def _first_round(plan: RunPlan, pair: PairPlan, renderer: PromptRenderer, row: int) -> list[Any]:
    """What an inferencer asks first; further rounds depend on answers and cannot be foreseen."""
    options = dict(pair.dataset.inferencer)
    inferencer: Any = import_type(options.pop("type"), plan.search_path)(**options)
    return list(next(inferencer.dialogue(renderer, row, _NO_LIMITS)))
