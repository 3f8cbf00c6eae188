"""How much a pair will cost in requests and prompt tokens, estimated from a few of its rows."""

from dataclasses import dataclass
from typing import Any

from tasks.data.rows import plan_rows
from tasks.models.token_count import Estimate
from tasks.plan.run_plan import PairPlan, RunPlan
from tasks.prompts.renderer import PromptRenderer
from tasks.spec.chat import Prompt
from tasks.spec.type_loading import import_type

_SAMPLED_ROWS = 32


@dataclass(frozen=True)
class PairEstimate:
    """None where the data is missing."""

    requests: int | None
    prompt_tokens: int | None


def estimate(plan: RunPlan, pair: PairPlan) -> PairEstimate:
    """Renders some rows spread over the pair and scales up.

    Later rounds of a dialogue depend on answers and are not foreseen.
    """
    if pair.data is None or pair.samples is None:
        return PairEstimate(None, None)
    rows = plan_rows(pair.dataset, pair.data, plan.request.limit)
    sampled = [rows[position] for position in range(0, len(rows), max(1, len(rows) // _SAMPLED_ROWS))]
    backend: Any = import_type(pair.model.type, plan.search_path)
    renderer = PromptRenderer(
        pair.dataset,
        pair.data,
        prompt_form=backend.prompt_form,
        meta_template=pair.model.meta_template,
        search_path=plan.search_path,
    )
    scored = bool(import_type(pair.dataset.inferencer["type"], plan.search_path).scores)
    prompts = [prompt for row in sampled for prompt in _prompts(renderer, row.row, scored)]
    scale, count = len(rows) / len(sampled), Estimate()
    return PairEstimate(round(scale * len(prompts)), round(scale * sum(map(count, prompts))))


def _prompts(renderer: PromptRenderer, row: int, scored: bool) -> list[Prompt]:
    if scored:
        return [rendered.prompt for rendered in renderer.label_prompts(row).values()]
    return [renderer.generation(row).prompt]
