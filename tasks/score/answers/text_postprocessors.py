"""Post-processors for texts of any kind, under OpenCompass's names. All take linear time and never raise.

None of them guesses: those named after "the first capital" and the like read what the text states; the guess itself,
under a rule `fallback:…`, comes only with `cushion=True`.
"""

import ast
import re
from collections.abc import Sequence
from typing import Any

from tasks.score.answers.configured_pattern import pattern_answer
from tasks.score.answers.number_text import values
from tasks.score.answers.option import option_answer
from tasks.score.answers.option_patterns import letter_pattern
from tasks.score.answers.option_set import option_set
from tasks.score.answers.postprocessors import extract_non_reasoning_content
from tasks.score.answers.timed_search import PatternTookTooLong, last_matches
from tasks.score.answers.visible import TURN_END, visible
from tasks.score.interface import Extraction, ExtractionStatus
from tasks.spec.names.type_loading import import_type, resolve_type

_CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_CUT = re.compile(rf"[\n.,{TURN_END}]")
_PUNCTUATION = re.compile(r"[^\w\s]")
_ARTICLE = re.compile(r"\b(?:a|an|the)\b", re.IGNORECASE)
_LONGEST_LITERAL = 10_000


def general_postprocess(text: str) -> Extraction:
    """The words up to the first line break, full stop or comma, without punctuation and English articles.

    It cuts numbers too (`3.14` becomes `3`): compare numbers by another post-processor.
    """
    line = _CUT.split(visible(text).strip(), maxsplit=1)[0]
    words = _ARTICLE.sub(" ", _PUNCTUATION.sub("", line))
    return _found(" ".join(words.split()), "general")


def general_cn_postprocess(text: str) -> Extraction:
    """The whole text cut into words by jieba, joined by blanks."""
    from tasks.score.answers.chinese_words import chinese_words

    return _found(" ".join(chinese_words(visible(text).strip())), "words")


general_cn_postprocess.libraries = ("jieba",)  # pyright: ignore[reportFunctionMemberAccess]


def first_capital_postprocess(text: str, cushion: bool = False) -> Extraction:
    """The option letter that the text states as its answer; with `cushion`, where it states none, the first capital."""
    return _capital(text, option_answer(text, _CAPITALS), 0, cushion)


def last_capital_postprocess(text: str, cushion: bool = False) -> Extraction:
    """As `first_capital_postprocess`; of several statements the last counts, with `cushion` the last capital."""
    return _capital(text, option_answer(text, _CAPITALS, last_wins=True), -1, cushion)


def first_capital_postprocess_multi(text: str, cushion: bool = False) -> Extraction:
    """The letters A to D named together as the answer, in their order (`BD`); with `cushion` else their first run."""
    found = option_set(text, "ABCD")
    if found.status is ExtractionStatus.FOUND or not cushion:
        return found
    run = re.search(r"[A-D]+", visible(text))
    return Extraction(run[0], "fallback:first-run", run.span()) if run else found


def multiple_select_postprocess(text: str, cushion: bool = False) -> Extraction:
    """All letters named together as the answer, sorted (`ACD`); with `cushion` else all capitals of the text."""
    found = option_set(text, _CAPITALS)
    if found.status is ExtractionStatus.FOUND:
        return Extraction("".join(sorted(found.answer)), found.rule, found.span)
    capitals = sorted({character for character in visible(text) if character.isupper()}) if cushion else []
    return Extraction("".join(capitals), "fallback:all-capitals") if capitals else found


def last_option_postprocess(text: str, options: str | Sequence[str], cushion: bool = False) -> Extraction:
    """The letter of `options` that the text states last as its answer; with `cushion` else its last such character."""
    letters = "".join(options)
    found = option_answer(text, letters, last_wins=True)
    if found.rule == "leading":
        found = _corrected(text, letters) or found
    if found.status is ExtractionStatus.FOUND or not cushion:
        return found
    shown = visible(text)
    last = max(shown.rfind(letter) for letter in letters) if letters else -1
    return Extraction(shown[last], "fallback:last-option", (last, last + 1)) if last >= 0 else found


def first_number_postprocess(text: str) -> Extraction:
    """The first number in the text as a float; grouping, currency and the Unicode minus are understood."""
    from fractions import Fraction

    value = next(values(visible(text)), None)
    if value is None:
        return Extraction.unparsed()
    try:
        return Extraction(float(Fraction(value.text)), "first-number", value.span)
    except (OverflowError, ValueError):  # thousands of digits
        return Extraction.unparsed()


def match_answer_pattern(text: str, answer_pattern: str) -> Extraction:
    """Group 1 of the last match of `answer_pattern`, or the whole match if it has no group.

    `**B**`, `$B$`, `(B)` and full-width letters are read as `B`. ValueError for a pattern that cannot be read.
    """
    return pattern_answer(text, answer_pattern)


def think_pred_postprocess(text: str, re_pattern: str) -> Extraction:
    """Group 1 of `re_pattern`, stripped; where it does not match, the text outside reasoning."""
    try:
        matches = last_matches(re_pattern, text)
    except PatternTookTooLong:
        return Extraction.unparsed()
    if matches:
        match = matches[-1]
        group = 1 if match.groups() and match[1] is not None else 0
        return _found(match[group].strip(), "pattern", match.span(group))
    return extract_non_reasoning_content(text)


def xml_tag_postprocessor(text: str, tag: str) -> Extraction:
    """The stripped content of the last closed `tag` (`<answer>`) outside reasoning."""
    shown = visible(text)
    end = shown.rfind(f"</{tag.strip().lstrip('<')}" if tag.lstrip().startswith("<") else f"</{tag}>")
    start = shown.rfind(tag if tag.lstrip().startswith("<") else f"<{tag}>", 0, end) if end >= 0 else -1
    if start < 0:
        return Extraction.unparsed()
    start = shown.index(">", start) + 1
    return _found(shown[start:end].strip(), "tag", (start, end))


def general_eval_wrapper_postprocess(text: str, postprocess: Any = None, **options: Any) -> Extraction | Any:
    """The text, or the value of the Python literal that it is, through the post-processor `postprocess`.

    A literal is read, never executed: anything else than a literal stays text.
    """
    literal = _literal(text)
    value = literal if isinstance(literal, str) else text if literal is None else str(literal)
    if postprocess is None:
        return _found(value, "whole-text" if literal is None else "literal")
    name = postprocess["type"] if isinstance(postprocess, dict) else postprocess
    options |= {key: option for key, option in postprocess.items() if key != "type"} if name is not postprocess else {}
    return import_type(resolve_type(name, "postprocessor"))(value, **options)


def _literal(text: str) -> Any:
    """The value of a Python literal; None for everything else."""
    if not text or len(text) > _LONGEST_LITERAL:
        return None
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return None


def _capital(text: str, found: Extraction, which: int, cushion: bool) -> Extraction:
    if found.status is ExtractionStatus.FOUND or not cushion:
        return found
    capitals = [position for position, character in enumerate(visible(text)) if character.isupper()]
    if not capitals:
        return found
    position = capitals[which]
    return Extraction(text[position], "fallback:capital", (position, position + 1))


def _corrected(text: str, letters: str) -> Extraction | None:
    """The second letter of an answer such as "A, no B"."""
    letter = letter_pattern(letters)
    pattern = rf"\W{{0,9}}[{re.escape(letters)}]\W{{1,9}}(?:no|sorry|wait|rather|actually)\W{{1,9}}{letter}\W{{0,9}}"
    match = re.compile(pattern, re.IGNORECASE).fullmatch(text)
    return Extraction(match["x"], "correction", match.span("x")) if match and match["x"] in letters else None


def _found(answer: str, rule: str, span: tuple[int, int] | None = None) -> Extraction:
    return Extraction(answer, rule, span) if answer else Extraction.unparsed()
