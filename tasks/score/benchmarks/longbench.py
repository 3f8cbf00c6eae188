"""Evaluators of LongBench (Bai et al. 2023, arXiv:2308.14508): `score`, from 0 to 100, best of the accepted answers."""

import re
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from tasks.score.answers.chinese_words import chinese_words
from tasks.score.answers.reasoning import without_reasoning
from tasks.score.answers.words import answer_words
from tasks.score.evaluators.comparison import ComparingEvaluator, golds_of, paired
from tasks.score.evaluators.open_answers import word_f1
from tasks.score.evaluators.overlap import mean_rouge

_NUMBER = re.compile(r"\d+")
_NOT_CODE = ("`", "#", "//")
"""A line with one of these is a comment or a fence."""
_LONGEST_LINE = 2000
_PARAGRAPH = {"en": re.compile(r"Paragraph (\d+)"), "zh": re.compile(r"段落(\d+)")}


class _BestEvaluator(ComparingEvaluator):
    """The mean over samples of how well an answer agrees with the nearest accepted one."""

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference without an accepted answer."""
        details: list[dict[str, Any]] = []
        for number, (prediction, reference) in enumerate(paired(predictions, references)):
            text = without_reasoning(str(prediction))
            best = max(self.agreement(text, gold) for gold in golds_of(reference, number))
            details.append({"pred": text, "answer": reference, "score": 100 * best})
        return {"score": fmean(detail["score"] for detail in details) if details else 0.0, "details": details}

    def agreement(self, text: str, gold: str) -> float:
        """From 0 to 1."""
        raise NotImplementedError


class LongBenchF1Evaluator(_BestEvaluator):
    """F1 of words, of Chinese ones as jieba divides them."""

    libraries = ("jieba",)

    def __init__(self, language: str = "en", pred_postprocessor: dict[str, Any] | None = None) -> None:
        """ValueError for a language other than `en` and `zh`."""
        super().__init__(pred_postprocessor)
        self.language = _known(language)

    def agreement(self, text: str, gold: str) -> float:
        if self.language == "en":
            return word_f1(answer_words(text), answer_words(gold))
        return word_f1(_bare_chinese(text), _bare_chinese(gold))


class LongBenchCountEvaluator(_BestEvaluator):
    """The share of the answer's numbers that are the right one."""

    def agreement(self, text: str, gold: str) -> float:
        return _share(_NUMBER.findall(text), gold)


class LongBenchRetrievalEvaluator(_BestEvaluator):
    """The share of the answer's numbers that are that of the right paragraph."""

    def __init__(self, language: str = "en", pred_postprocessor: dict[str, Any] | None = None) -> None:
        """ValueError for a language other than `en` and `zh`."""
        super().__init__(pred_postprocessor)
        self.language = _known(language)

    def agreement(self, text: str, gold: str) -> float:
        named = _PARAGRAPH[self.language].search(gold)
        if named is None:
            raise ValueError(f"the reference {gold!r:.80} names no paragraph")
        return _share(_NUMBER.findall(text), named[1])


class LongBenchRougeEvaluator(ComparingEvaluator):
    """ROUGE-L by sentences, over Chinese words where the language is `zh`."""

    libraries = ("jieba",)

    def __init__(self, language: str = "en", pred_postprocessor: dict[str, Any] | None = None) -> None:
        """ValueError for a language other than `en` and `zh`."""
        super().__init__(pred_postprocessor)
        self.language = _known(language)

    def score(self, predictions: Sequence[Any], references: Sequence[Any]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference without an accepted answer."""
        function = "rouge_l_of_chinese_sentences" if self.language == "zh" else "rouge_l_of_sentences"
        texts = [without_reasoning(str(prediction)) for prediction in predictions]
        result = mean_rouge(f"tasks.score.evaluators.rouge.{function}", texts, references)
        return {"score": result["rougeL"], "details": result["details"]} if result else {}


class LongBenchCodeSimEvaluator(_BestEvaluator):
    """How like the right line the first line of code in the answer is, by edit distance."""

    libraries = ("rapidfuzz",)

    def agreement(self, text: str, gold: str) -> float:
        from rapidfuzz import fuzz

        lines = text.lstrip("\n").split("\n")
        line = next((line for line in lines if not any(sign in line for sign in _NOT_CODE)), "")
        return fuzz.ratio(line[:_LONGEST_LINE], gold) / 100


class LongBenchClassificationEvaluator(ComparingEvaluator):
    """1 for naming the right class alone, less for naming others too; references are `{answers, all_classes}`."""

    def score(self, predictions: Sequence[Any], references: Sequence[Mapping[str, Any]]) -> dict[str, Any]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """ValueError for a reference without classes."""
        details: list[dict[str, Any]] = []
        for number, (prediction, reference) in enumerate(paired(predictions, references)):
            classes = golds_of(reference["all_classes"], number)
            text = without_reasoning(str(prediction))
            shares = [_class_share(text, gold, classes) for gold in golds_of(reference["answers"], number)]
            named = [name for name in classes if name in text]
            details.append({"pred": named, "answer": reference["answers"], "score": 100 * max(shares)})
        return {"score": fmean(detail["score"] for detail in details) if details else 0.0, "details": details}


def _class_share(text: str, gold: str, classes: Sequence[str]) -> float:
    """A class whose name is part of the right one's does not count as named."""
    named = [name for name in classes if name in text and (name == gold or name not in gold)]
    return 1 / len(named) if gold in named else 0.0


def _bare_chinese(text: str) -> list[str]:
    return [word for word in chinese_words(text.lower()) if any(character.isalnum() for character in word)]


def _share(numbers: Sequence[str], right: str) -> float:
    return sum(number == right for number in numbers) / len(numbers) if numbers else 0.0


def _known(language: str) -> str:
    if language not in ("en", "zh"):
        raise ValueError(f"language={language!r} is neither 'en' nor 'zh'")
    return language
