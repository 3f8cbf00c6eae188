"""Text cut into words: Chinese by jieba, whose dictionary comes with the package, all else at blanks and signs."""

import logging
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

_CHINESE = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_PIECE = re.compile(rf"(?P<chinese>[{_CHINESE}]++)|(?:(?![{_CHINESE}])\w)++(?:[.,'’-](?:(?![{_CHINESE}])\w)++)*|\S")
_MOST_CHARACTERS = 100_000
"""Chinese characters that are cut into words; what lies behind is cut into characters, which takes no time."""

_LONGEST_RUN = 2_000
"""Chinese characters without a sign between them that are cut as one; jieba's time grows with their square."""


def chinese_words(text: str) -> list[str]:
    """The words and signs of the text in order, blanks left out; numbers like `3.14` are one word."""
    return list(_words(text))


def _words(text: str) -> Iterator[str]:
    left = _MOST_CHARACTERS
    for match in _PIECE.finditer(text):
        run = match[0]
        if match["chinese"] is None or len(run) == 1:
            yield run
            continue
        for start in range(0, min(len(run), left), _LONGEST_RUN):
            yield from _tokenizer().lcut(run[start : min(start + _LONGEST_RUN, left)])
        yield from run[left:]
        left = max(0, left - len(run))


@cache
def _tokenizer() -> Any:
    import jieba

    jieba.setLogLevel(logging.WARNING)
    return jieba.Tokenizer()
