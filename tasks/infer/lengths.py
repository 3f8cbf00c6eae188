"""`--dump-res-length`: token counts of prompts and answers in predictions files, under OpenCompass's names."""

from collections.abc import Mapping
from typing import Any, cast

from tasks.models.interface import TokenCounter
from tasks.models.token_count import token_counter
from tasks.spec.specs import ModelSpec


def length_counter(model: ModelSpec) -> TokenCounter:
    """Counts by the model's tokenizer where it is on this machine, else by an estimate; never asks the network."""
    path, tokenizer = model.arguments.get("path"), model.arguments.get("tokenizer_path")
    return token_counter(str(path or model.abbr), str(tokenizer) if tokenizer else None)


def without_lengths(prompt: Any) -> Any:
    """The prompt of a predictions file as it was asked."""
    if not isinstance(prompt, list):
        return prompt
    messages = cast(list[Any], prompt)
    return [
        {key: value for key, value in cast(dict[str, Any], message).items() if key != "input_length"}
        if isinstance(message, dict)
        else message
        for message in messages
    ]


def with_lengths(sample: Mapping[str, Any], count: TokenCounter) -> dict[str, Any]:
    """The sample with `res_length`, `all_input_length` and an `input_length` in each message of its prompt.

    What the service counted stands for the whole where our own count is an estimate.
    """
    usage = cast(Mapping[str, Any], sample.get("usage") or {})
    known: Mapping[str, Any] = {} if count.exact else usage
    changed = dict(sample)
    prompt: Any = sample.get("origin_prompt")
    if isinstance(prompt, list):
        messages = cast(list[dict[str, Any]], prompt)
        lengths = [count(str(message.get("prompt", ""))) for message in messages]
        changed["origin_prompt"] = [m | {"input_length": n} for m, n in zip(messages, lengths, strict=True)]
        changed["all_input_length"] = known.get("prompt_tokens") or sum(lengths)
    elif isinstance(prompt, str):
        changed["all_input_length"] = known.get("prompt_tokens") or count(prompt)
    answer: Any = sample.get("prediction")
    if isinstance(answer, str):
        changed["res_length"] = known.get("completion_tokens") or count(answer)
    elif isinstance(answer, list):
        changed["res_length"] = [count(str(part)) for part in cast(list[Any], answer)]
    return changed
