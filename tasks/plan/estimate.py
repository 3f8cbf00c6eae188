"""How much a pair will cost in requests, prompt tokens and money, estimated from a few of its rows."""

from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from tasks.models.interface import TokenCounter
from tasks.models.length_policy import TooLong
from tasks.models.token_count import Estimate
from tasks.plan.checks.general import importable
from tasks.plan.rendering import PairPrompts
from tasks.plan.run_plan import PairPlan, RunPlan
from tasks.plan.subjective import questions_per_sample
from tasks.spec.chat import Prompt
from tasks.spec.findings import UserError
from tasks.spec.judge_specs import judges_of
from tasks.spec.specs import ModelSpec, cost

_SAMPLED_ROWS = 32
_SAMPLED_IN_ALL = 20_000
"""Rows rendered for a whole plan: many pairs are estimated from fewer rows each, but from four at least."""


@dataclass(frozen=True)
class PairEstimate:
    """None where the data or a class is missing."""

    requests: int | None
    prompt_tokens: int | None
    cost: float | None = None
    """Dollars at most: if every answer is as long as it may be. None too where prices or that limit are unknown."""


def estimate(plan: RunPlan, pair: PairPlan) -> PairEstimate:
    """Renders some rows spread over the pair and scales up.

    Later rounds of a dialogue depend on answers and are not foreseen.
    """
    if pair.pair in plan.taken:
        return PairEstimate(0, 0, cost(pair.model.prices, 0, 0))
    classes = (pair.model.type, pair.dataset.inferencer["type"])
    if pair.data is None or pair.samples is None or any(importable(c, plan.search_path) is None for c in classes):
        return PairEstimate(None, None)
    rendered = PairPrompts(pair.model, pair.dataset, pair.data, plan.search_path)
    rows = rendered.rows(plan.request.limit)
    wanted = min(_SAMPLED_ROWS, max(4, _SAMPLED_IN_ALL // len(plan.pairs)))
    sampled = [rows[position] for position in range(0, len(rows), max(1, len(rows) // wanted))]
    prompts = [prompt for row in sampled for prompt in rendered.prompts(row)]
    scale, count = len(rows) / len(sampled), Estimate()
    sent = [tokens for prompt in prompts if (tokens := _sent_tokens(rendered, prompt, count)) is not None]
    requests, tokens = round(scale * len(sent)), round(scale * sum(sent))
    limit = _answer_limit(rendered.inferencer, pair.model)
    return PairEstimate(requests, tokens, None if limit is None else cost(pair.model.prices, tokens, requests * limit))


def _sent_tokens(rendered: PairPrompts, prompt: Prompt, count: TokenCounter) -> int | None:
    """None for a prompt that is too long to be sent."""
    if not rendered.model.is_api:
        return count(prompt)
    try:
        fitted = rendered.fitted(prompt, count)
    except TooLong:
        return None
    return count(prompt) if fitted.prompt_tokens is None else fitted.prompt_tokens


def judge_questions(plan: RunPlan) -> dict[str, int | None]:
    """How often each judge is asked at most, by its name; None where a size is unknown."""
    questions: dict[str, int | None] = {}
    for pair in plan.pairs:
        if pair.pair in plan.taken:
            continue
        times = questions_per_sample(pair.dataset, pair.model.abbr)
        with suppress(UserError):  # a judge that is not known is told among the findings
            for judge in judges_of(pair.dataset):
                known = questions.get(judge.abbr, 0)
                questions[judge.abbr] = None if known is None or pair.samples is None else known + times * pair.samples
    return questions


def _answer_limit(inferencer: Any, model: ModelSpec) -> int | None:
    """Tokens that the answers to one request may have: none where texts are only scored."""
    if inferencer.scores:
        return 0
    limit = getattr(inferencer, "max_out_len", None) or model.max_out_len
    return limit and limit * getattr(inferencer, "sequences", 1)
