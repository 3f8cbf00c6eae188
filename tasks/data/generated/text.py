"""Text without end, made of a seed: filler for long contexts, keys and values to hide in it, and how long it all is."""

import json
import re
import uuid
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, product
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from tasks.data.disk_store import Spool
from tasks.spec.findings import Finding, UserError

_FILE = Path(__file__).parent / "vocabulary.json"
_PIECE = re.compile(r"[^\W\d_\u3400-\u9fff]+|\d+|\S")
_SENTENCES = 3000
_MOST_TOKENS = 1_000_000
"""Of rows that are kept in memory."""
_LETTERS_PER_TOKEN, _DIGITS_PER_TOKEN = 6, 3
_SYLLABLES = [consonant + vowel for consonant, vowel in product("bdfgklmnprstvz", "aeiou")]


@cache
def vocabulary(name: str) -> tuple[str, ...]:
    """One of the lists of `vocabulary.json`."""
    return tuple(json.loads(_FILE.read_text(encoding="utf-8"))[name])


def estimated_tokens(text: str) -> int:
    """About how many tokens a tokenizer would make of the text, the same on every machine; rather too many."""
    return sum(map(_tokens_of, _PIECE.findall(text)))


def kept(rows: Iterable[dict[str, Any]], tokens: int) -> Sequence[dict[str, Any]]:
    """The rows in memory, or on disk if they have more tokens than it should hold."""
    return list(rows) if tokens < _MOST_TOKENS else Spool(rows)


def filler(tokens: int, rng: Random, language: str = "English") -> list[str]:
    """Sentences that say nothing, as many as fit into so many tokens; UserError for a language without any."""
    pool = _pool(language)
    chosen = rng.choices(pool, k=max(tokens, 0) // min(size for _, size in pool) + 1)
    sizes = list(accumulate(size for _, size in chosen))
    return [sentence for sentence, _ in chosen[: bisect_right(sizes, tokens)]]


@cache
def _pool(language: str) -> tuple[tuple[str, int], ...]:
    """Sentences with their sizes, the same for every row: they are drawn from it again and again."""
    prefix = {"English": "", "Chinese": "chinese_"}.get(language)
    if prefix is None:
        raise UserError(
            Finding(f"there are no texts with language={language!r}", remedy="valid are 'English', 'Chinese'")
        )
    rng = Random(language)
    names = ("sentences", "nouns", "places", "seasons")
    patterns, nouns, places, seasons = (vocabulary(f"{prefix}{name}") for name in names)
    made = (
        rng.choice(patterns).format(
            noun=rng.choice(nouns),
            place=rng.choice(places),
            season=rng.choice(seasons),
            adjective=rng.choice(vocabulary("adjectives")),
        )
        for _ in range(_SENTENCES)
    )
    return tuple((sentence, estimated_tokens(sentence)) for sentence in made)


def new_words(rng: Random, number: int, syllables: int = 3) -> list[str]:
    """So many different words that no language has."""
    found: dict[str, None] = {}
    while len(found) < number:
        found["".join(rng.choices(_SYLLABLES, k=syllables))] = None
    return list(found)


def new_value(rng: Random, kind: str) -> str:
    """A value to be remembered: of `numbers` one with seven digits, of `uuids` one of those, of `words` two words."""
    if kind == "numbers":
        return str(rng.randint(10**6, 10**7 - 1))
    if kind == "uuids":
        return str(uuid.UUID(int=rng.getrandbits(128), version=4))
    if kind == "words":
        return f"{rng.choice(vocabulary('adjectives'))}-{new_words(rng, 1)[0]}"
    raise UserError(Finding(f"there are no values of the kind {kind!r}", remedy="valid are numbers, uuids, words"))


def new_values(rng: Random, kind: str, number: int) -> list[str]:
    """So many different ones."""
    found: dict[str, None] = {}
    while len(found) < number:
        found[new_value(rng, kind)] = None
    return list(found)


def full_name(rng: Random) -> str:
    """One of some 600 names."""
    return f"{rng.choice(vocabulary('names'))} {rng.choice(vocabulary('surnames'))}"


def _tokens_of(piece: str) -> int:
    if piece.isdigit():
        return ceil(len(piece) / _DIGITS_PER_TOKEN)
    return ceil(len(piece) / _LETTERS_PER_TOKEN)
