"""Instructions on how many words, numbers, names and sentences there are, and in which ratio.

The rules are those of Pyatkin et al. 2025 (arXiv:2507.02833) and of their published checks.
"""

import re

from tasks.score.benchmarks.ifbench.text_units import EDGE, bare_words, without_punctuation, word_list
from tasks.score.benchmarks.ifeval.text_units import sentences, tokens

_WORD = re.compile(r"\w+")
_CONJUNCTIONS = frozenset({"and", "but", "for", "nor", "or", "so", "yet"})
_MARKS = frozenset(".,!?;:")
_INTERROBANGS = ("?!", "!?", "‽")
_KEYWORD_COUNTS = (1, 2, 3, 5, 7)
_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")
_TOLERANCE = 2
"""Percentage points."""


def word_count_range(text: str, *, min_words: float, max_words: float) -> bool:
    """The number of words, runs of letters and digits, lies between these."""
    return min_words <= sum(1 for _ in _WORD.finditer(text)) <= max_words


def unique_word_count(text: str, *, N: float) -> bool:  # noqa: N803  the benchmark's name
    """At least so many different words."""
    return len({word for part in text.lower().split() if (word := part.strip(EDGE))}) >= N


def conjunctions(text: str, *, small_n: float) -> bool:
    """At least so many different coordinating conjunctions."""
    return len({word.strip(EDGE).lower() for word in text.split()} & _CONJUNCTIONS) >= small_n


def person_names(text: str, *, N: float) -> bool:  # noqa: N803
    """At least so many of the names that the prompt lists."""
    return sum(re.search(rf"\b{name}\b", text) is not None for name in word_list("person_names")) >= N


def numbers(text: str, *, N: float) -> bool:  # noqa: N803
    """Exactly so many numbers; `1,000.5` is one."""
    return len(re.findall(r"\d+", without_punctuation(text))) == N


def pronouns(text: str, *, N: float) -> bool:  # noqa: N803
    """At least so many pronouns."""
    known = frozenset(word_list("pronouns"))
    return sum(word in known for word in tokens(text.lower().replace("/", " "))) >= N


def punctuation(text: str) -> bool:
    """Every mark of punctuation occurs, and an interrobang beside a mark of each kind that it is made of."""
    found = next((mark for mark in _INTERROBANGS if mark in text), None)
    return found is not None and set(text.replace(found, "", 1)) >= _MARKS


def keywords_multiple(text: str, *, keyword1: str, keyword2: str, keyword3: str, keyword4: str, keyword5: str) -> bool:
    """The five keywords occur once, twice, three, five and seven times, as whole words in any case."""
    keywords = (keyword1, keyword2, keyword3, keyword4, keyword5)
    return all(
        len(re.findall(rf"\b{re.escape(keyword.strip())}\b", text, re.IGNORECASE)) == count
        for keyword, count in zip(keywords, _KEYWORD_COUNTS, strict=True)
    )


def words_japanese(text: str, *, N: float) -> bool:  # noqa: N803
    """Every N-th word is Japanese; numbers are left out of it."""
    every = [word.strip(EDGE) for word in text.split()[int(N) - 1 :: int(N)]]
    return all(_JAPANESE.search(word) for word in every if word and not word.isdigit())


def stop_words(text: str, *, percentage: float) -> bool:
    """At most such a share of the words are stop words."""
    known, words = frozenset(word_list("stop_words")), [match[0].lower() for match in _WORD.finditer(text)]
    return bool(words) and 100 * sum(word in known for word in words) / len(words) <= percentage


def overlap(text: str, *, reference_text: str, percentage: float) -> bool:
    """Such a share of the different trigrams of characters, give or take two points, stand in the reference as well."""
    own, theirs = _trigrams(text), _trigrams(reference_text)
    return bool(own) and abs(100 * len(own & theirs) / len(own) - percentage) <= _TOLERANCE


def sentence_balance(text: str) -> bool:
    """As many sentences end with a full stop as with a question and with an exclamation mark."""
    return _ending(text, ".") == _ending(text, "?") == _ending(text, "!")


def sentence_type(text: str) -> bool:
    """Twice as many sentences end with a full stop as with a question mark."""
    return _ending(text, ".") == 2 * _ending(text, "?")


def sentence_words(text: str) -> bool:
    """Three sentences of as many characters, in which no word occurs twice."""
    found = [sentence.strip() for sentence in sentences(text)]
    words = bare_words(" ".join(found))
    return len(found) == 3 and len({len(sentence) for sentence in found}) == 1 and len(words) == len(set(words))


def _trigrams(text: str) -> set[str]:
    return {text[start : start + 3] for start in range(len(text) - 2)}


def _ending(text: str, mark: str) -> int:
    return sum(sentence.endswith(mark) for sentence in sentences(text))
