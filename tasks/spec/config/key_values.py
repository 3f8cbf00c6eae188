"""Values as they are written on a command line: `temperature=0.2`, `stop_words=[a,b]`, `do_sample=true`."""

import ast
from collections.abc import Iterable
from typing import Any, cast

from tasks.spec.findings import Finding, UserError

_WORDS: dict[str, Any] = {"true": True, "false": False, "none": None, "null": None}
_CLOSING = {"[": "]", "(": ")", "{": "}"}


def parse_pairs(texts: Iterable[str], flag: str) -> dict[str, Any]:
    """`KEY=VALUE` texts as a dict; UserError, naming the flag, for a text without a key."""
    pairs: dict[str, Any] = {}
    for text in texts:
        key, equals, value = text.partition("=")
        if not equals or not key.strip():
            raise UserError(Finding(f"{flag}: {text!r} is not KEY=VALUE", remedy=f"write it as {flag} name=value"))
        pairs[key.strip()] = parse_value(value)
    return pairs


def parse_value(text: str) -> Any:
    """A number, true, false, none, a list (`1,2` or `[1,2]`), a tuple `(1,2)` or a text; quotes make it a text."""
    try:
        return _value(text.strip())
    except RecursionError:  # brackets in brackets in brackets
        return text.strip()


def _value(text: str) -> Any:
    try:
        value: Any = ast.literal_eval(text)
        is_list = isinstance(value, tuple) and not text.startswith("(")
        return cast(Any, list(cast(tuple[Any, ...], value)) if is_list else value)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        pass
    if text.lower() in _WORDS:
        return _WORDS[text.lower()]
    if text[:1] in ("[", "(") and text.endswith(_CLOSING[text[0]]):
        items = [_value(item) for item in _items(text[1:-1])]
        return items if text[0] == "[" else tuple(items)
    items = _items(text)
    return [_value(item) for item in items] if len(items) > 1 and "://" not in text else text


def _items(text: str) -> list[str]:
    """The parts between commas that stand in no bracket and in no quotes."""
    parts, start, closing, quote = list[str](), 0, list[str](), ""
    for index, character in enumerate(text):
        if quote:
            quote = "" if character == quote else quote
        elif character in "\"'":
            quote = character
        elif character in _CLOSING:
            closing.append(_CLOSING[character])
        elif closing and character == closing[-1]:
            closing.pop()
        elif character == "," and not closing:
            parts.append(text[start:index])
            start = index + 1
    parts.append(text[start:])
    return [part.strip() for part in parts if part.strip()]
