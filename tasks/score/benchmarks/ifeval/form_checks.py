"""Instructions on the form of a response: lists, titles, sections, JSON, beginnings and ends.

The rules are those of Zhou et al. 2023 (arXiv:2311.07911) as their published checks apply them, each in linear time.
"""

import json
import re

_CONSTRAINED = ("My answer is yes.", "My answer is no.", "My answer is maybe.")
_STAR_ITEM = re.compile(r"^[^\S\n]*\*[^*].*$", re.MULTILINE)
_DASH_ITEM = re.compile(r"^[^\S\n]*-.*$", re.MULTILINE)
_STARRED = re.compile(r"\*[^\n*]*\*")
_DOUBLE_STARRED = re.compile(r"\*\*[^\n*]*\*\*")
_POSTSCRIPTS = {"P.P.S": re.compile(r"p\.\s?p\.\s?s"), "P.S.": re.compile(r"p\.\s?s\.")}
_RESPONSE_RULE = "******"
_FENCES = ("```json", "```Json", "```JSON", "```")


def number_of_placeholders(text: str, *, num_placeholders: int) -> bool:
    """At least so many `[…]`, each within a line."""
    return sum(map(_bracketed, text.split("\n"))) >= num_placeholders


def postscript(text: str, *, postscript_marker: str) -> bool:
    """The marker occurs, in any case; `P.S.` and `P.P.S` also with blanks between their letters."""
    known = _POSTSCRIPTS.get(postscript_marker)
    return bool(known.search(text.lower())) if known else postscript_marker.lower() in text.lower()


def number_of_bullets(text: str, *, num_bullets: int) -> bool:
    """Exactly so many lines begin with `* ` or `-`."""
    return _count(_STAR_ITEM, text) + _count(_DASH_ITEM, text) == num_bullets


def constrained_response(text: str) -> bool:
    """One of the three answers that the prompts allow occurs as it is written."""
    return any(answer in text for answer in _CONSTRAINED)


def number_of_highlights(text: str, *, num_highlights: int) -> bool:
    """At least so many `*…*` or `**…**` that hold something, each within a line."""
    single = sum(bool(match[0].strip("*").strip()) for match in _STARRED.finditer(text))
    double = sum(bool(match[0][2:-2].strip()) for match in _DOUBLE_STARRED.finditer(text))
    return single + double >= num_highlights


def number_of_sections(text: str, *, section_spliter: str, num_sections: int) -> bool:
    """At least so many headings: the given word with a number."""
    return _count(re.compile(rf"{re.escape(section_spliter)}\s?\d"), text) >= num_sections


def json_format(text: str) -> bool:
    """The whole text is JSON, within a code fence or without."""
    content = text.strip()
    for fence in _FENCES:
        content = content.removeprefix(fence)
    content = content.removesuffix("```").strip()
    try:
        json.loads(content, parse_int=str)  # integers of any length are JSON
    except (ValueError, RecursionError):
        return False
    return True


def title(text: str) -> bool:
    """A line has a title `<<…>>` that is not blank."""
    return any(map(_titled, text.split("\n")))


def two_responses(text: str) -> bool:
    """Two different responses divided by six stars; only before the first and behind the last may be nothing."""
    parts = text.split(_RESPONSE_RULE)
    if any(not part.strip() for part in parts[1:-1]):
        return False
    responses = [part.strip() for part in parts if part.strip()]
    return len(responses) == 2 and responses[0] != responses[1]


def repeat_prompt(text: str, *, prompt_to_repeat: str) -> bool:
    """The text begins with the request, in any case."""
    return text.strip().lower().startswith(prompt_to_repeat.strip().lower())


def end_phrase(text: str, *, end_phrase: str) -> bool:
    """The text ends with the phrase, in any case and also within quotes."""
    return text.strip().strip('"').lower().endswith(end_phrase.strip().lower())


def quotation(text: str) -> bool:
    """The whole text stands between double quotes."""
    stripped = text.strip()
    return len(stripped) > 1 and stripped[0] == '"' == stripped[-1]


def _count(pattern: re.Pattern[str], text: str) -> int:
    return sum(1 for _ in pattern.finditer(text))


def _bracketed(line: str) -> int:
    """How many `[…]` follow one another in the line."""
    count, start = 0, line.find("[")
    while start >= 0 and (end := line.find("]", start + 1)) >= 0:
        count, start = count + 1, line.find("[", end + 1)
    return count


def _titled(line: str) -> bool:
    start, end = line.find("<<"), line.rfind(">>")
    return 0 <= start < end - 2 and bool(line[start : end + 2].lstrip("<").rstrip(">").strip())
