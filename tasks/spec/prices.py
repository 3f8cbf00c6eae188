"""What tokens cost: `prices` of a model's configuration, in dollars per million tokens."""

from collections.abc import Mapping

_MILLION = 1_000_000


def cost(prices: Mapping[str, float] | None, prompt_tokens: int, completion_tokens: int) -> float | None:
    """Dollars; None where the model has no prices. A kind of token without a price costs nothing."""
    if not prices:
        return None
    return (prompt_tokens * prices.get("input", 0.0) + completion_tokens * prices.get("output", 0.0)) / _MILLION
