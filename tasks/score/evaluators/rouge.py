"""ROUGE (Lin 2004) of single texts, by rouge-score, over Latin words or over Chinese ones."""

import re
from collections.abc import Sequence
from typing import Any

from tasks.score.answers.chinese_words import chinese_words

_ENGLISH = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_CHINESE = ("rouge1", "rouge2", "rougeL")
_MOST_WORDS = 2000
"""Words of a prediction that are compared: its cost grows with the product of both lengths."""
_NOTHING = "无内容"
"""The word that LawBench's authors put in place of an empty answer."""
_BREAK = re.compile(r"\n|(?<=[。！？?])(?![”’])")
_AGAINST_ZERO = 1e-8
"""Part of both packages' formula."""
_LATIN_WORD = re.compile(r"[a-z0-9]+")
Pair = tuple[str, list[str]]
"""A prediction and its accepted references."""


def rouge_of_words(pairs: Sequence[Pair]) -> list[dict[str, float]]:
    """F-measures of each pair, 0 to 100; ValueError for a reference without a Latin letter or digit."""
    foreign = next((gold for _, golds in pairs for gold in golds if not _LATIN_WORD.search(gold.lower())), None)
    if foreign is not None:
        raise ValueError(
            f"the reference {foreign!r:.60} has no word in Latin letters, which is all that ROUGE sees here: "
            "use JiebaRougeEvaluator for Chinese"
        )
    return _measured(pairs, _ENGLISH, _LatinWords())


def rouge_of_chinese(pairs: Sequence[Pair]) -> list[dict[str, float]]:
    """F-measures of each pair, 0 to 100, over the words without the signs between them."""
    return _measured(pairs, _CHINESE, _ChineseWords())


def rouge_l_of_chinese(pairs: Sequence[Pair]) -> list[dict[str, float]]:
    """ROUGE-L as LawBench's authors measure it (package rouge-chinese): over all words and signs in their order."""
    from rapidfuzz.distance import LCSseq

    def measure(prediction: str, gold: str) -> float:
        ours, theirs = (_words_and_breaks(text) or [_NOTHING] for text in (prediction, gold))
        return _f_measure(LCSseq.similarity(ours, theirs), len(ours), len(theirs))

    return [{"rougeL": max(measure(prediction, gold) for gold in golds)} for prediction, golds in pairs]


def rouge_l_of_sentences(pairs: Sequence[Pair]) -> list[dict[str, float]]:
    """ROUGE-L as LongBench's authors measure it (package rouge).

    Sentences end with full stops, words with blanks. What counts is how many different words stand in a longest common
    subsequence of a sentence of the reference and one of the answer, among the different words of each text.
    """
    return [
        {"rougeL": max(_of_sentences(_sentences(prediction), _sentences(gold)) for gold in golds)}
        for prediction, golds in pairs
    ]


def rouge_l_of_chinese_sentences(pairs: Sequence[Pair]) -> list[dict[str, float]]:
    """The same over Chinese words and signs."""
    return rouge_l_of_sentences(
        [(" ".join(chinese_words(text)), [" ".join(chinese_words(gold)) for gold in golds]) for text, golds in pairs]
    )


def _words_and_breaks(text: str) -> list[str]:
    """Words and signs; as in the package, a line or the rest of one with nothing but blanks is one empty word."""
    lines = " \n ".join(" ".join(chinese_words(line)) for line in text.split("\n")).rstrip()
    return [word for piece in _BREAK.split(lines) if piece for word in piece.split() or [""]][:_MOST_WORDS]


def _sentences(text: str) -> list[list[str]]:
    """Each sentence's words; as in the package, blanks between full stops are one empty word."""
    left, found = _MOST_WORDS, list[list[str]]()
    for piece in text.split("."):
        if piece and left > 0:
            words = piece.split()[:left] or [""]
            left -= len(words)
            found.append(words)
    return found


def _of_sentences(ours: Sequence[Sequence[str]], theirs: Sequence[Sequence[str]]) -> float:
    if not ours or not theirs:
        return 0.0
    common = {word for gold in theirs for said in ours for word in _common_words(gold, said)}
    return _f_measure(
        len(common), len({w for words in ours for w in words}), len({w for words in theirs for w in words})
    )


def _common_words(one: Sequence[str], other: Sequence[str]) -> list[str]:
    """A longest common subsequence; of several, the one the package takes."""
    lengths = [[0] * (len(other) + 1)]
    for word in one:
        above, row = lengths[-1], [0]
        for column, match in enumerate(other):
            row.append(above[column] + 1 if word == match else max(above[column + 1], row[column]))
        lengths.append(row)
    found: list[str] = []
    i, j = len(one), len(other)
    while i and j:
        if one[i - 1] == other[j - 1]:
            found.append(one[i - 1])
            i, j = i - 1, j - 1
        elif lengths[i - 1][j] > lengths[i][j - 1]:
            i -= 1
        else:
            j -= 1
    return found


def _f_measure(common: int, ours: int, theirs: int) -> float:
    precision, recall = common / ours, common / theirs
    return 200 * precision * recall / (precision + recall + _AGAINST_ZERO)


def _measured(pairs: Sequence[Pair], types: Sequence[str], tokenizer: Any) -> list[dict[str, float]]:
    from rouge_score.rouge_scorer import RougeScorer

    scorer = RougeScorer(list(types), tokenizer=tokenizer)
    measured = (scorer.score_multi(golds, prediction) for prediction, golds in pairs)
    return [{name: 100 * float(scores[name].fmeasure) for name in types} for scores in measured]


class _LatinWords:
    """The words of rouge-score's default, of very long texts the first ones."""

    def tokenize(self, text: str) -> list[str]:
        return _first(_LATIN_WORD.finditer(text.lower()))


class _ChineseWords:
    def tokenize(self, text: str) -> list[str]:
        words = (word for word in chinese_words(text.lower()) if any(character.isalnum() for character in word))
        return [word for word, _ in zip(words, range(_MOST_WORDS), strict=False)]


def _first(matches: Any) -> list[str]:
    return [match[0] for match, _ in zip(matches, range(_MOST_WORDS), strict=False)]
