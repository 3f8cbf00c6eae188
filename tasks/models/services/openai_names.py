"""Which of OpenAI's models think before they answer, told by their names."""

import re

_REASONING = re.compile(r"(?:^|[/:])(?:o[134]|gpt-5(?:\.\d+)?)(?=$|[-:@])")


def is_openai_reasoning_model(name: str) -> bool:
    """Whether the name, not just a part of it, is of the o1, o3, o4 and gpt-5 families (`gpt-5-mini`, `openai/o3`).

    These take `max_completion_tokens` for `max_tokens`, and no `stop`.
    """
    return bool(_REASONING.search(name))
