"""What the instructions of IFBench look at: bare words, stop words, syllables, verbs, emoji."""

import json
import string
from functools import cache
from pathlib import Path
from typing import Any

import regex

from tasks.score.benchmarks.ifeval.text_units import tokens

_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_EMOJI = regex.compile(r"[\p{Extended_Pictographic}\p{Emoji_Modifier}\p{Regional_Indicator}]")
_JOINERS = "\ufe0f\u200d"
"""Signs that a picture may end with."""
EDGE = string.punctuation + " "
"""What stands around words."""
_LISTS = Path(__file__).parent / "word_lists.json"


@cache
def word_list(name: str) -> tuple[str, ...]:
    """`stop_words` (NLTK's English ones, contractions divided), `pronouns`, `person_names` that the prompts list, and
    `northern_capitals`: those of Europe north of 45 degrees, from north to south.
    """
    return tuple(json.loads(_LISTS.read_text(encoding="utf-8"))[name])


def without_punctuation(text: str) -> str:
    """The text without ASCII's punctuation."""
    return text.translate(_NO_PUNCTUATION)


def bare_words(text: str) -> list[str]:
    """Words between blanks, in lower case and without punctuation; what is nothing but punctuation is no word."""
    return without_punctuation(text.lower()).split()


def word_tokens(text: str) -> list[str]:
    """Tokens of the Penn Treebank with a letter or a digit."""
    return [token for token in tokens(text) if any(character.isalnum() for character in token)]


def is_emoji(text: str) -> bool:
    """Whether the text has a picture or a part of one."""
    return _EMOJI.search(text.strip(_JOINERS)) is not None


def syllables(word: str) -> int:
    """By syllapy: from a dictionary, else estimated."""
    from syllapy import count

    return count(word)


def starts_with_verb(text: str) -> bool:
    """Whether textblob's tagger calls the first word a verb; it is read in lower case, lest it be taken for a name."""
    words = tokens(text[:1000].lower())
    tagged = _tagger().tag(" ".join(words[:20]), tokenize=False) if words else []
    return bool(tagged) and tagged[0][1].startswith("VB")


@cache
def _tagger() -> Any:
    from textblob.taggers import PatternTagger

    return PatternTagger()
