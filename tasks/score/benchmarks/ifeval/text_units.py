"""What instructions count in a text: words, sentences, capital words, its language. Nothing is downloaded."""

from functools import cache
from typing import Any

_SEED = 0
"""Language detection samples; with a fixed seed one text always has one language."""


@cache
def _sentence_splitter() -> Any:
    from punkt import tokenizer_for

    return tokenizer_for("english")


@cache
def _word_tokenizer() -> Any:
    from nltk.tokenize import NLTKWordTokenizer

    return NLTKWordTokenizer()


@cache
def _language_profiles() -> Any:
    from langdetect.detector_factory import PROFILES_DIRECTORY, DetectorFactory

    factory = DetectorFactory()
    factory.load_profile(PROFILES_DIRECTORY)
    factory.seed = _SEED
    return factory


def sentences(text: str) -> list[str]:
    """Split by Punkt with its English model (Kiss & Strunk 2006)."""
    return _sentence_splitter().tokenize(text)


def tokens(text: str) -> list[str]:
    """Words and signs as the Penn Treebank divides them; `I'M` are two."""
    return [token for sentence in sentences(text) for token in _tokens(sentence)]


def capital_words(text: str) -> int:
    """How many tokens are in capitals."""
    shouting = (sentence for sentence in sentences(text) if sentence != sentence.lower())
    return sum(token.isupper() for sentence in shouting for token in _tokens(sentence))


def _tokens(sentence: str) -> list[str]:
    # Blanks are squeezed because the tokenizer's patterns take quadratic time on long runs of them.
    return _word_tokenizer().tokenize(" ".join(sentence.split()))


def language_of(text: str) -> str | None:
    """ISO 639-1 code as langdetect has it (`en`, `zh-cn`); None where there is nothing to tell it by."""
    from langdetect.lang_detect_exception import LangDetectException

    detector = _language_profiles().create()
    detector.append(text)
    try:
        return detector.detect()
    except LangDetectException:
        return None
