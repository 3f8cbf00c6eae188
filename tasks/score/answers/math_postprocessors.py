"""Post-processors for mathematical answers, under OpenCompass's names. All take linear time and never raise.

They return the answer in the one form of `tasks.score.answers.math_form`; with `cushion` a text that states
none gives its last formula, under a rule `fallback:…`.
"""

from tasks.score.answers.math_form import final_form
from tasks.score.answers.math_statement import last_formula, math_answer
from tasks.score.answers.visible import visible
from tasks.score.interface import Extraction, ExtractionStatus


def math_postprocess(text: str, cushion: bool = False) -> Extraction:
    """The answer that the text announces ("the final answer is …"), else what it boxes."""
    return _in_form(_found(text, math_answer(text, box_first=False), cushion))


def math_postprocess_v2(text: str, cushion: bool = False) -> Extraction:
    r"""The answer that the text boxes (`\boxed{…}`), else what it announces ("the final answer is …")."""
    return _in_form(_found(text, math_answer(text), cushion))


def normalize_final_answer(text: str) -> Extraction:
    """The text, which is an answer or announces one, in one form."""
    found = math_answer(text)
    if found.status is ExtractionStatus.FOUND:
        return _in_form(found)
    form = final_form(visible(text))
    return Extraction(form, "whole-text", (0, len(text))) if form else found


def _found(text: str, stated: Extraction, cushion: bool) -> Extraction:
    return last_formula(text) if cushion and stated.status is not ExtractionStatus.FOUND else stated


def _in_form(found: Extraction) -> Extraction:
    if found.status is not ExtractionStatus.FOUND:
        return found
    form = final_form(found.answer)
    return Extraction(form, found.rule, found.span) if form else Extraction.unparsed()
