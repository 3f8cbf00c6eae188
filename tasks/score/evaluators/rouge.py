"""ROUGE (Lin 2004) of single texts, by rouge-score, over Latin words or over Chinese ones."""

import re
from collections.abc import Sequence
from typing import Any

from tasks.score.answers.chinese_words import chinese_words

_ENGLISH = ("rouge1", "rouge2", "rougeL", "rougeLsum")
_CHINESE = ("rouge1", "rouge2", "rougeL")
_MOST_WORDS = 2000
"""Words of a prediction that are compared: its cost grows with the product of both lengths."""
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
