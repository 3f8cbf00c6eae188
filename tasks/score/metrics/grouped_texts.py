"""Counts texts that say the same with other numbers as one, and shows the range of each number."""

import re
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

_TOKEN = re.compile(r"[\w.-]*\d[\w.-]*\w|\d")
_NUMBER = re.compile(r"\d{1,15}(?:\.\d{1,15})?")
_LEAST_ID = 16
"""Longer words with digits are ids of requests, which differ in every text."""
_PLACE = "\0"

Values = tuple[str, ...]


@dataclass(slots=True)
class GroupedTexts:
    """Grows text by text."""

    _counts: Counter[str] = field(default_factory=Counter[str])
    _lowest: dict[str, Values] = field(default_factory=dict[str, Values])
    _highest: dict[str, Values] = field(default_factory=dict[str, Values])

    def add(self, text: str) -> None:
        values: list[str] = []

        def place(match: re.Match[str]) -> str:
            token = match[0]
            if not _NUMBER.fullmatch(token) and len(token) < _LEAST_ID:
                return token
            values.append(token)
            return _PLACE

        kind = _TOKEN.sub(place, text.replace(_PLACE, ""))
        self._counts[kind] += 1
        low = self._lowest.setdefault(kind, tuple(values))
        high = self._highest.setdefault(kind, tuple(values))
        self._lowest[kind] = tuple(_chosen(min, *pair) for pair in zip(low, values, strict=True))
        self._highest[kind] = tuple(_chosen(max, *pair) for pair in zip(high, values, strict=True))

    def total(self) -> int:
        """How many texts were added."""
        return self._counts.total()

    def most_common(self, most: int) -> dict[str, int]:
        """The most frequent kinds, each with its numbers or their ranges (`12–480`), and how many texts it counts."""
        return {self._shown(kind): count for kind, count in self._counts.most_common(most)}

    def _shown(self, kind: str) -> str:
        shown, *rest = kind.split(_PLACE)
        for low, high, text in zip(self._lowest[kind], self._highest[kind], rest, strict=True):
            shown += (low if low == high else f"{low}–{high}") + text
        return shown


def _chosen(choose: Any, kept: str, new: str) -> str:
    """The smaller or larger number; of other texts the first."""
    return choose(kept, new, key=float) if _NUMBER.fullmatch(kept) and _NUMBER.fullmatch(new) else kept
