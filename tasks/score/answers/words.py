"""Free answers as words that can be compared: lower case, without punctuation and articles, numbers in one form."""

import re
import unicodedata

from tasks.score.answers.number_text import values

_ARTICLES = frozenset({"a", "an", "the"})
_CONNECTIVES = frozenset(
    {"and", "for", "the", "with", "from", "was", "were", "are", "but", "not", "his", "her", "its", "who"}
)
_ONE_BY_ONE = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff"
"""Scripts without blanks between words: every character is a word."""
_WORD = re.compile(
    rf"[-−–]?\d[\d.,/]*|[{_ONE_BY_ONE}]|(?:(?![{_ONE_BY_ONE}])[^\W_])+(?:['’](?:(?![{_ONE_BY_ONE}])[^\W_])+)*"
)
_SIGN_OF_RANGE = re.compile(r"(?<=\d)[-−–](?=\d)")


def answer_words(text: str) -> tuple[str, ...]:
    """The words; articles stay only where nothing else does, and a text of signs alone is one word."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    words = [_word(match[0]) for match in _WORD.finditer(_SIGN_OF_RANGE.sub(" ", folded))]
    content = tuple(word for word in words if word not in _ARTICLES)
    if content or words:
        return content or tuple(words)
    signs = "".join(folded.split())
    return (signs,) if signs else ()


def holds(words: tuple[str, ...], part: tuple[str, ...]) -> bool:
    """Whether `part` stands in `words`, whole words in a row; never for an empty part."""
    return bool(part) and "\0".join(("", *part, "")) in "\0".join(("", *words, ""))


def is_telling(words: tuple[str, ...]) -> bool:
    """Whether one of the words says more than how others are connected."""
    return any(
        word not in _CONNECTIVES and (len(word) > 2 or not word.isalpha() or not word.isascii()) for word in words
    )


def _word(word: str) -> str:
    if not any(character.isdigit() for character in word):
        return word.replace("’", "'")
    number = next(values(word), None)
    return number.text if number and number.span[1] >= len(word.rstrip(".,/")) else word.strip(".,/")
