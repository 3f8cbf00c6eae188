"""MGSM (Shi et al. 2022, arXiv:2210.03057): the answer stands behind the word for it in the question's language."""

import re

from tasks.score.answers.number import numeric_answer
from tasks.score.answers.visible import visible
from tasks.score.evaluators.exact import Gsm8kEvaluator
from tasks.score.interface import Extraction, ExtractionStatus

ANSWER_WORDS = {
    "bn": "উত্তর",
    "de": "Antwort",
    "en": "Answer",
    "es": "Respuesta",
    "fr": "Réponse",
    "ja": "答え",
    "ru": "Ответ",
    "sw": "Jibu",
    "te": "సమాధానం",
    "th": "คำตอบ",
    "zh": "答案",
}

_GROUPING = {"de": ".", "es": ".", "fr": " ", "ru": " "}
"""What divides thousands where it is no comma; all references are whole numbers."""


def mgsm_postprocess(text: str, lang: str = "en") -> Extraction:
    """The number behind the last `<word for answer>:` in the language, else the one the text states in another way."""
    word, shown = ANSWER_WORDS[lang], visible(text)
    start = max(shown.rfind(f"{word}{colon}") for colon in ":：")
    begin = start + len(word) + 1
    line = shown[begin:].lstrip().split("\n")[0] if start >= 0 else ""
    found = numeric_answer(_without_grouping(line, lang))
    if found.status is ExtractionStatus.FOUND:
        return Extraction(found.answer, "answer:", (begin, shown.index(line, begin) + len(line)))
    plain = _without_grouping(text, lang)
    found = numeric_answer(plain)
    return found if plain == text else Extraction(found.answer, found.rule, None, found.status)


def _without_grouping(text: str, lang: str) -> str:
    sign = _GROUPING.get(lang)
    return re.sub(rf"(?<=\d){re.escape(sign)}(?=\d{{3}}(?!\d))", "", text) if sign else text


class MGSM_Evaluator(Gsm8kEvaluator):  # noqa: N801  OpenCompass's name
    """`accuracy`: prediction and reference are the same number."""
