"""Answers to problems in eleven languages."""

import pytest

from tasks.score.benchmarks.mgsm import ANSWER_WORDS, MGSM_Evaluator, mgsm_postprocess
from tasks.score.interface import ExtractionStatus


@pytest.mark.parametrize("lang", ANSWER_WORDS)
def test_the_number_stands_behind_the_word_of_the_language(lang: str):
    word = ANSWER_WORDS[lang]
    assert mgsm_postprocess(f"3 + 15 = 18\n{word}: 18", lang).answer == "18"
    assert mgsm_postprocess(f"3 + 15 = 18\n**{word}:** 18 $", lang).answer == "18"
    assert mgsm_postprocess(f"{word}: 17?\n{word}：18。", lang).answer == "18"
    assert mgsm_postprocess(r"So \boxed{18} it is", lang).answer == "18"
    assert mgsm_postprocess("…", lang).status is ExtractionStatus.UNPARSED


@pytest.mark.parametrize(("lang", "written"), [("de", "1.018"), ("es", "1.018"), ("fr", "1 018"), ("en", "1,018")])
def test_thousands_are_divided_as_the_language_does(lang: str, written: str):
    found = mgsm_postprocess(f"{ANSWER_WORDS[lang]}: {written}", lang)
    assert MGSM_Evaluator().score([found.answer], ["1018"])["accuracy"] == 100


def test_digits_of_other_scripts_are_digits():
    assert mgsm_postprocess("উত্তর: ১৮", "bn").answer == "18"
