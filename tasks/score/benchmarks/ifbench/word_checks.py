"""Instructions on words and sentences one after another: letters, lengths, positions, repetitions.

The rules are those of Pyatkin et al. 2025 (arXiv:2507.02833) and of their published checks.
"""

import re
from collections import Counter
from itertools import pairwise
from string import ascii_lowercase

from tasks.score.benchmarks.ifbench.text_units import EDGE, bare_words, starts_with_verb, syllables, word_tokens
from tasks.score.benchmarks.ifeval.text_units import sentences

_CLUSTER = re.compile(r"[bcdfghjklmnpqrstvwxyz]{2}")
_PRIMES = frozenset(n for n in range(2, 100) if all(n % divisor for divisor in range(2, n)))
_PALINDROMES, _SHORTEST_PALINDROME = 10, 5


def alphabet(text: str) -> bool:
    """Each word begins with the letter after that of the word before, A after Z."""
    initials = [word[0] for word in bare_words(text)]
    if not initials or not set(initials) <= set(ascii_lowercase):
        return False
    return all((ord(after) - ord(before)) % 26 == 1 for before, after in pairwise(initials))


def consonants(text: str) -> bool:
    """Each word has two consonants side by side."""
    return all(_CLUSTER.search(word) for word in text.lower().split())


def keywords_specific_position(text: str, *, keyword: str, n: float, m: float) -> bool:
    """The m-th word of the n-th sentence is the keyword."""
    found = sentences(text)
    words = word_tokens(found[int(n) - 1]) if len(found) >= n else []
    return len(words) >= m and words[int(m) - 1].lower() == keyword.strip().lower()


def last_first(text: str) -> bool:
    """Each sentence begins with the last word of the one before."""
    found = [[word.lower() for word in sentence.strip(EDGE).split()] for sentence in sentences(text)]
    return all(before and after and before[-1] == after[0] for before, after in pairwise(found))


def no_consecutive(text: str) -> bool:
    """No word begins with the letter that the word before begins with."""
    return all(before[0] != after[0] for before, after in pairwise(bare_words(text)))


def odd_even_syllables(text: str) -> bool:
    """Words with an odd and an even number of syllables take turns."""
    return all(before != after for before, after in pairwise(syllables(word) % 2 for word in bare_words(text)))


def palindrome(text: str) -> bool:
    """At least ten words of five characters or more read the same backwards."""
    found = (len(word) >= _SHORTEST_PALINDROME and word == word[::-1] for word in bare_words(text))
    return sum(found) >= _PALINDROMES


def paragraph_last_first(text: str) -> bool:
    """Each line ends with the word that it begins with."""
    lines = (line.lower().strip(EDGE + "\t\r").split() for line in text.split("\n"))
    return all(words[0] == words[-1] for words in lines if words)


def prime_lengths(text: str) -> bool:
    """The number of characters of each word is prime."""
    return all(len(word) in _PRIMES for word in bare_words(text))


def repeats(text: str, *, small_n: float) -> bool:
    """No word occurs more often than this."""
    return max(Counter(bare_words(text)).values(), default=0) <= small_n


def start_verb(text: str) -> bool:
    """The first word is a verb."""
    return starts_with_verb(text)


def vowel(text: str) -> bool:
    """One line, in which at most three different vowels occur."""
    return "\n" not in text.strip() and len(set(text.lower()) & set("aeiou")) <= 3


def words_position(text: str, *, keyword: str) -> bool:
    """The second word and the last but one are the keyword."""
    words = [word.lower() for word in word_tokens(text)]
    return len(words) > 1 and words[1] == words[-2] == keyword.strip().lower()


def alliteration_increment(text: str) -> bool:
    """In each sentence more words stand beside a word with their initial than in the sentence before."""
    counts = [_alliterative(sentence) for sentence in sentences(text)]
    return all(before < after for before, after in pairwise(counts))


def increment(text: str, *, small_n: float) -> bool:
    """Each sentence has so many words more than the one before."""
    counts = [len(bare_words(sentence)) for sentence in sentences(text)]
    return all(after - before == small_n for before, after in pairwise(counts))


def sentence_keyword(text: str, *, word: str, N: float) -> bool:  # noqa: N803  the benchmark's name
    """The N-th sentence has the word, in any case."""
    found = sentences(text)
    pattern = rf"\b{re.escape(word)}\b"
    return len(found) >= N and re.search(pattern, found[int(N) - 1], re.IGNORECASE) is not None


def _alliterative(sentence: str) -> int:
    words = [bare for word in sentence.lower().split() if (bare := word.lstrip(EDGE))]
    same = [before[0] == after[0] for before, after in pairwise(words)]
    return sum(equal or before for before, equal in zip([False, *same], [*same, False], strict=True))
