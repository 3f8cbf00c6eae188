"""The 25 kinds of instructions of IFEval, and how a response is held against them."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from tasks.score.benchmarks.ifeval import content_checks, form_checks

CHECKS: Mapping[str, Callable[..., bool]] = {
    "keywords:existence": content_checks.keyword_existence,
    "keywords:frequency": content_checks.keyword_frequency,
    "keywords:forbidden_words": content_checks.forbidden_words,
    "keywords:letter_frequency": content_checks.letter_frequency,
    "language:response_language": content_checks.response_language,
    "length_constraints:number_sentences": content_checks.number_of_sentences,
    "length_constraints:number_paragraphs": content_checks.number_of_paragraphs,
    "length_constraints:number_words": content_checks.number_of_words,
    "length_constraints:nth_paragraph_first_word": content_checks.first_word_of_paragraph,
    "detectable_content:number_placeholders": form_checks.number_of_placeholders,
    "detectable_content:postscript": form_checks.postscript,
    "detectable_format:number_bullet_lists": form_checks.number_of_bullets,
    "detectable_format:constrained_response": form_checks.constrained_response,
    "detectable_format:number_highlighted_sections": form_checks.number_of_highlights,
    "detectable_format:multiple_sections": form_checks.number_of_sections,
    "detectable_format:json_format": form_checks.json_format,
    "detectable_format:title": form_checks.title,
    "combination:two_responses": form_checks.two_responses,
    "combination:repeat_prompt": form_checks.repeat_prompt,
    "startend:end_checker": form_checks.end_phrase,
    "startend:quotation": form_checks.quotation,
    "change_case:capital_word_frequency": content_checks.capital_word_frequency,
    "change_case:english_capital": content_checks.english_capital,
    "change_case:english_lowercase": content_checks.english_lowercase,
    "punctuation:no_comma": content_checks.no_comma,
}


class Instruction(NamedTuple):
    """One instruction of a prompt."""

    id: str
    arguments: dict[str, Any]
    checks: Mapping[str, Callable[..., bool]] = CHECKS
    """The benchmark's kinds of instructions."""

    def is_followed(self, response: str) -> bool:
        """A blank response follows nothing."""
        return bool(response.strip()) and self.checks[self.id](response, **self.arguments)


class Followed(NamedTuple):
    """Which instructions of a prompt a response follows, in their order."""

    strict: list[bool]
    loose: list[bool]


def instructions_of(row: Mapping[str, Any], checks: Mapping[str, Callable[..., bool]] = CHECKS) -> list[Instruction]:
    """The instructions of a row of the benchmark; ValueError naming what of it is not understood."""
    ids, arguments = row["instruction_id_list"], row["kwargs"]
    if len(ids) != len(arguments):
        raise ValueError(f"prompt {row.get('key')} has {len(ids)} instructions and {len(arguments)} sets of arguments")
    return [_instruction(name, given, row.get("key"), checks) for name, given in zip(ids, arguments, strict=True)]


def follow(response: str, instructions: list[Instruction]) -> Followed:
    """Strict: as the response stands. Loose: also without its first or last line, and without asterisks."""
    strict = [instruction.is_followed(response) for instruction in instructions]
    if all(strict):
        return Followed(strict, strict)
    variants = _variants(response)
    loose = [
        followed or any(instruction.is_followed(variant) for variant in variants)
        for instruction, followed in zip(instructions, strict, strict=True)
    ]
    return Followed(strict, loose)


def _instruction(
    name: str, given: Mapping[str, Any] | None, key: Any, checks: Mapping[str, Callable[..., bool]]
) -> Instruction:
    check = checks.get(name)
    if check is None:
        raise ValueError(f"prompt {key} has an unknown instruction {name!r}")
    arguments = {argument: value for argument, value in (given or {}).items() if value is not None}
    try:
        inspect.signature(check).bind("", **arguments)
    except TypeError as error:
        raise ValueError(f"prompt {key}, instruction {name}: {error}") from None
    return Instruction(name, arguments, checks)


def _variants(response: str) -> list[str]:
    """What else the loose judgement looks at."""
    lines = response.split("\n")
    cut = ["\n".join(part).strip() for part in (lines[1:], lines[:-1], lines[1:-1])]
    bare = [text.replace("*", "") for text in (response, *cut)]
    return [text for text in dict.fromkeys((*cut, *bare)) if text != response]
