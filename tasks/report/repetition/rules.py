"""Whether a text ends in endless repetition, by two rules on its second half."""

import gzip
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

WINDOW = 32
"""Tokens of a pattern."""
TAIL_WINDOWS = 5
LEAST_COUNT = 20
"""Occurrences from which on a pattern may be a repetition; more of them than this are abnormal."""
LEAST_SHARE = 0.9
"""Of the distances between occurrences, the share that the two commonest must have."""
LARGEST_RATIO = 40.0
"""Compression beyond which a text is abnormal."""
_WORDS = re.compile(r"\w+|\S")

Encoder = Callable[[str], Sequence[int]]


class Repetition(NamedTuple):
    """What was found in one text."""

    count: int
    """Occurrences of the pattern at its end; 0 if they do not come at regular distances."""
    ratio: float
    """Share of the second half that they fill, at most 1."""
    compression: float
    """Length of the second half over that of its gzip form."""

    @property
    def by_pattern(self) -> bool:
        return self.count > LEAST_COUNT

    @property
    def by_compression(self) -> bool:
        return self.compression > LARGEST_RATIO


def find_repetition(text: str, tokens: Sequence[int]) -> Repetition:
    """Looks at the second half of a text and of its tokens."""
    half = tokens[len(tokens) // 2 :]
    count, ratio = max(_patterns(half), default=(0, 0.0))
    return Repetition(count, ratio, _compression(text[len(text) // 2 :]))


def words(text: str) -> list[int]:
    """Numbers of words and signs, in place of tokens where there is no tokenizer."""
    known: dict[str, int] = {}
    return [known.setdefault(word, len(known)) for word in _WORDS.findall(text)]


def _patterns(tokens: Sequence[int]) -> Iterator[tuple[int, float]]:
    """How often each of the last windows occurs and how much of the tokens that is; those that repeat regularly."""
    kinds = {token: chr(number) for number, token in enumerate(dict.fromkeys(tokens))}
    sequence = "".join(kinds[token] for token in tokens)  # the search within texts is fast
    ends = range(len(sequence), max(WINDOW - 1, len(sequence) - TAIL_WINDOWS * WINDOW), -WINDOW)
    for pattern in {sequence[end - WINDOW : end] for end in ends}:
        places = list(_places(sequence, pattern))
        if len(places) < LEAST_COUNT:
            continue
        gaps = Counter(later - earlier for earlier, later in pairwise(places))
        share = sum(count for _, count in gaps.most_common(2)) / gaps.total()
        if share >= LEAST_SHARE:
            yield len(places), min(1.0, share * len(places) * WINDOW / len(sequence))


def _places(sequence: str, pattern: str) -> Iterator[int]:
    place = sequence.find(pattern)
    while place >= 0:
        yield place
        place = sequence.find(pattern, place + 1)


def _compression(text: str) -> float:
    data = text.encode("utf-8", "backslashreplace")
    return len(data) / len(gzip.compress(data)) if data else 0.0
