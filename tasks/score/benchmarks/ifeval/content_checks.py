"""Instructions on what a response says: words, letters, languages, lengths, cases.

The rules are those of Zhou et al. 2023 (arXiv:2311.07911) as their published checks apply them.
"""

import re
from collections.abc import Sequence

from tasks.score.benchmarks.ifeval.relations import holds
from tasks.score.benchmarks.ifeval.text_units import capital_words, language_of, sentences

_WORD = re.compile(r"\w+")
_PARAGRAPH_RULE = re.compile(r"\s?\*\*\*\s?")
_WORD_END = frozenset(".,?!'\"")


def keyword_existence(text: str, *, keywords: Sequence[str]) -> bool:
    """Every keyword occurs, in any case, also inside a word."""
    return all(_occurrences(keyword, text, 1) for keyword in keywords)


def keyword_frequency(text: str, *, keyword: str, frequency: int, relation: str) -> bool:
    """The keyword occurs so often, in any case, also inside words."""
    return holds(_occurrences(keyword, text), relation, frequency)


def forbidden_words(text: str, *, forbidden_words: Sequence[str]) -> bool:
    """None of the words occurs as a word of its own, in any case."""
    return not any(re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE) for word in forbidden_words)


def letter_frequency(text: str, *, letter: str, let_frequency: int, let_relation: str) -> bool:
    """The letter, in any case, or another character occurs so often."""
    return holds(text.lower().count(letter.lower()), let_relation, let_frequency)


def response_language(text: str, *, language: str) -> bool:
    """The text is in that language; one without any letters passes."""
    return language_of(text) in (language, None)


def number_of_sentences(text: str, *, num_sentences: int, relation: str) -> bool:
    """The text has so many sentences."""
    return holds(len(sentences(text)), relation, num_sentences)


def number_of_words(text: str, *, num_words: int, relation: str) -> bool:
    """The text has so many words: runs of letters, digits and underscores."""
    return holds(sum(1 for _ in _WORD.finditer(text)), relation, num_words)


def number_of_paragraphs(text: str, *, num_paragraphs: int) -> bool:
    """Paragraphs are divided by `***`; only the first and the last may be blank, and then do not count."""
    parts = _PARAGRAPH_RULE.split(text)
    if any(not part.strip() for part in parts[1:-1]):
        return False
    return sum(bool(part.strip()) for part in parts) == num_paragraphs


def first_word_of_paragraph(text: str, *, num_paragraphs: int, nth_paragraph: int, first_word: str) -> bool:
    """There are so many paragraphs, divided by blank lines, and the n-th, from 1, begins with that word."""
    parts = text.split("\n\n")
    filled = sum(bool(part.strip()) for part in parts)
    # The n-th is counted among all parts, blank ones included, as the benchmark's authors do.
    words = parts[nth_paragraph - 1].split(maxsplit=1) if 1 <= nth_paragraph <= filled else []
    if not words or filled != num_paragraphs:
        return False
    word = words[0].lstrip("'").lstrip('"')
    end = next((place for place, character in enumerate(word) if character in _WORD_END), len(word))
    return word[:end].lower() == first_word.lower()


def capital_word_frequency(text: str, *, capital_frequency: int, capital_relation: str) -> bool:
    """So many words are in capitals."""
    return holds(capital_words(text), capital_relation, capital_frequency)


def english_capital(text: str) -> bool:
    """All capitals, in English."""
    return text.isupper() and language_of(text) in ("en", None)


def english_lowercase(text: str) -> bool:
    """No capitals, in English."""
    return text.islower() and language_of(text) in ("en", None)


def no_comma(text: str) -> bool:
    """There is no comma."""
    return "," not in text


def _occurrences(keyword: str, text: str, most: int | None = None) -> int:
    """How often it occurs without overlap, in any case; counted up to `most`."""
    count = 0
    for _ in re.finditer(re.escape(keyword), text, re.IGNORECASE):
        count += 1
        if count == most:
            break
    return count
