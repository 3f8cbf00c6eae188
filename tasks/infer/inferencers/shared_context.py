"""Where the options of a question begin: what their texts have in common is context, the rest is scored."""

from collections.abc import Sequence


def shared_context(texts: Sequence[str]) -> int:
    """How many characters at the start of all texts are context, so that each text has something left to score.

    Options begin at a word: a word that two options share in part is scored in all of them, with the blank before it.
    A single text has no context.
    """
    if len(texts) < 2:
        return 0
    first, last = min(texts), max(texts)
    end = next((at for at, (one, other) in enumerate(zip(first, last, strict=False)) if one != other), len(first))
    while end and (any(_within_word(text, end) for text in texts) or any(len(text) == end for text in texts)):
        end -= 1
    return len(texts[0][:end].rstrip(" "))


def _within_word(text: str, position: int) -> bool:
    return position < len(text) and _is_word(text[position - 1]) and _is_word(text[position])


def _is_word(character: str) -> bool:
    """Letters and digits of scripts that put blanks between words."""
    return character.isalnum() and not "\u2e80" <= character <= "\u9fff"
