"""How answers name an option, in one table of patterns; `@` stands for the letter with what may decorate it.

Patterns are matched against text folded by `fold`: half-width, simplified characters. Every repetition is bounded, so
that matching takes linear time.
"""

import re
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from tasks.score.answers.statements import ADVERB, CHINESE_IS, COLON, FOREIGN_WORDS, FORMS, SHOULD, VERB

_TRADITIONAL = str.maketrans("選擇項為應該對確錯誤說論結當總終顯", "选择项为应该对确错误说论结当总终显")
_FULL_WIDTH = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}

# Words that may follow the letter A or I where it is an option; before anything else it is an article or a pronoun.
_AFTER_LETTER = (
    "because|since|as|is|was|are|for|due|based|given|with|and|or|nor|which|where|when|if|in|by|from|that|but|according"
    "|rather|instead|while|though|although|so|not|would|should|can|correctly|describes|states|to|of"
)
_OPENING = (
    r"(?:[\s*_`\"'“‘$({\[<「『【《>#]|\\(?:boxed|fbox|text(?:bf)?|math(?:bf|rm)|mbox|bf|rm|\(|\[)"
    r"|(?i:the|option|choice|letter)\s|选项|选择项){0,12}+"
)
_CLOSING = r"[\s*_`\"'”’$)}\]>」』】》.。,;:!\\]{0,20}"
_ANOTHER = (
    r"[\s*_`\"'”’$)}\]>」』】》]{0,4}(?:还是|(?i:and|or)\b|[/&、和或与及]|,\s?(?:(?i:and|or)\b)?)\s{0,3}"
    r"(?:选项|(?i:option|choice)\s)?[\s*_`\"'“‘$({\[]{0,4}@(?![A-Za-z0-9])"
    r"(?=[\s*_)\]}.。,;/&、和或与及还都]|$)(?!\s(?i:is|are|was|would|cannot|can)\b)"
)
_BEFORE = r"(?<![A-Za-z0-9])@[\s*_)]{0,4}(?:[和与及或、/&,]|还是|(?i:and|or))\s{0,3}$"
_ZH_IS = r"[\s*_】]{0,6}(?:是|为|选择|选|填|[:=]){0,3}"
_IS = rf"(?:\s{{1,3}}(?i:{VERB}\b{ADVERB})(?:{COLON})?|{COLON}|[*_]{{0,3}}[ \t]{{0,3}}\n)"


class Pattern(NamedTuple):
    """One way to name an option."""

    rule: str
    hints: tuple[str, ...]
    """Of these, in lower case, the text holds at least one wherever the pattern matches; saves most searches."""
    regex: re.Pattern[str]
    is_foreign: bool
    """Whether no text in ASCII can match."""
    begins: bool
    """Whether every match begins with a hint."""


class OptionPatterns(NamedTuple):
    """The patterns for one set of letters."""

    as_given: dict[str, str]
    """The letter as the options write it, for either case."""
    only: re.Pattern[str]
    """A line that is the letter and nothing else."""
    stated: tuple[Pattern, ...]
    """Says that the letter is the answer."""
    judged: tuple[Pattern, ...]
    """Says that the option is right."""
    concluded: tuple[Pattern, ...]
    """Ends the text with the letter as a conclusion."""
    leading: re.Pattern[str]
    """Begins the text with the letter and its own words."""
    marked: re.Pattern[str]
    """The letter followed by a colon, as in a list of options."""
    alone: re.Pattern[str]
    """The letter standing alone, anywhere."""
    another: re.Pattern[str]
    """Directly behind a letter: a second one that is named together with it."""
    before: re.Pattern[str]
    """Directly before a letter: a first one that is named together with it."""
    listed: re.Pattern[str]
    """A letter that marks an item of a list of options."""


@cache
def option_patterns(options: str) -> OptionPatterns:
    """The table for the letters of `options`, e.g. `ABCD`."""
    letters = "".join(map(re.escape, options))
    letter = letter_pattern(letters)
    as_given = {letter: letter for letter in options}
    as_given = {letter.swapcase(): letter for letter in options} | as_given

    def compiled(table: Sequence[tuple[str, str, str]], case: str) -> tuple[Pattern, ...]:
        marked = f"{_OPENING}{case}"
        filled = ((rule, hints, regex.replace("@", marked)) for rule, hints, regex in table)
        return tuple(_pattern(rule, hints.split("|"), regex) for rule, hints, regex in filled)

    other = f"(?P<other>{_of_either_case(options, _LOWER_END)})"
    return OptionPatterns(
        as_given=as_given,
        only=re.compile(rf"(?:1\s?[.、)]\s{{0,2}})?{_OPENING}{letter_of_either_case(options)}(?:选项|项)?{_CLOSING}"),
        stated=compiled(_STATED, letter_of_either_case(options)),
        judged=compiled(_JUDGED, letter_of_either_case(options, _IN_PARENTHESES)),
        concluded=compiled(_CONCLUDED, letter_of_either_case(options, _IN_PARENTHESES)),
        leading=re.compile(
            rf"\s{{0,99}}+[*_(\[【]{{0,4}}(?:选项)?{letter}(?:选项|项)?"
            r"(?=[*_\]}】 ]{0,6}[.:,;、。)]|\s(?:because|since|as)\b)"
        ),
        marked=re.compile(rf"{letter}[*_]{{0,3}}:"),
        alone=re.compile(letter),
        another=re.compile(_ANOTHER.replace("@", other)),
        before=re.compile(_BEFORE.replace("@", f"(?P<other>[{letters}])")),
        listed=re.compile(rf"(?<![A-Za-z0-9])(?P<x>[{letters}])[*_]{{0,3}}[.):、]"),
    )


def _pattern(rule: str, hints: Sequence[str], regex: str) -> Pattern:
    is_foreign = not any(hint.isascii() for hint in hints)
    return Pattern(rule, tuple(hints), re.compile(regex), is_foreign, rule in _BEGIN_WITH_HINT)


def fold(text: str) -> str:
    """The text, of equal length, in half-width letters and simplified characters, as the table is written."""
    return text if text.isascii() else text.translate(_FULL_WIDTH).translate(_TRADITIONAL)


def letter_pattern(letters: str) -> str:
    """A pattern, group `x`, for one letter that stands alone: no part of a word, no article, pronoun or grade."""
    word = rf"(?<=[AI])\s{{1,3}}(?!(?:{_AFTER_LETTER})\b)[a-z]"
    return rf"(?<![A-Za-z0-9])(?P<x>[{letters}])(?![A-Za-z0-9+#]|['’][A-Za-z]|-[A-Za-z0-9]|_[A-Za-z0-9])(?!{word})"


def letter_of_either_case(options: str, lower_end: str = "") -> str:
    """A pattern, group `x`, for an option in either case. A small letter must end its clause: "a dog" names none."""
    return rf"(?<![A-Za-z0-9])(?P<x>{_of_either_case(options, lower_end or _LOWER_END)})"


def _of_either_case(options: str, lower_end: str) -> str:
    known = options if len(options) <= _MOST_OF_EITHER_CASE else options[:_MOST_OF_EITHER_CASE]
    both = {letter for letter in known if letter.isalpha() and letter.isascii() and letter.swapcase() not in options}
    large = "".join(re.escape(letter) for letter in options if not letter.islower())
    large += "".join(letter.upper() for letter in both if letter.islower())
    small = "".join(letter for letter in options if letter.islower()) + "".join(letter.lower() for letter in both)
    small = "".join(sorted(set(small)))
    word = rf"(?<=[AI])\s{{1,3}}(?!(?:{_AFTER_LETTER})\b)[a-z]"
    cases = [rf"[{large}](?![A-Za-z0-9+#]|['’][A-Za-z]|-[A-Za-z0-9]|_[A-Za-z0-9])(?!{word})"] if large else []
    cases += [rf"[{small}](?![A-Za-z0-9]){lower_end}"] if small else []
    return f"(?:{'|'.join(cases)})"


_MOST_OF_EITHER_CASE = 20
_LOWER_END = (
    r"(?=[ \t*_`\"'”’$]{0,4}(?:[)\]}】」<>,;:。、!?\n\\]|\.(?![A-Za-z0-9])|\Z)|\s(?:because|since|as)\b"
    r"|[\s*_)\]}]{0,4}(?:[/&、和或与及]|,?\s?(?:and|or)\b)[\s*_(\[{]{0,4}[A-Za-z](?![A-Za-z0-9]))"
)
_IN_PARENTHESES = r"(?<=\(.)(?=\))"

_KIND = r"(?i:correct|right|best|final|most\s+(?:likely|appropriate|suitable|accurate)|true|proper|only|my)\s"
_ZH_KIND = "正确|错误|不对|有误|不符|符合题意|符合题目要求|符合要求"
_VERB = r"(?:\s(?:would|will|should|must|can)|'d|'ll|’d|’ll)?\s(?:choose|select|pick|go\swith|opt\sfor|answer)"
_CHOOSING = (
    "choose|select|pick|go with|opt for|would answer|will answer|should answer|must answer|can answer|d answer"
    "|ll answer|i answer|we answer"
)
FOREIGN_HINTS = FOREIGN_WORDS.lower()
_BEGIN_WITH_HINT = frozenset(
    {"box", "answer-is", "choice-that", "option:", "answer:", "答案是", "选", "是", "只有", "####"}
)
_STATED: tuple[tuple[str, str, str], ...] = (
    ("box", "\\boxed|\\fbox", r"\\(?:boxed|fbox)\s{0,3}\{@"),
    ("tag", "answer", f"{FORMS['tag'].replace('?P<tag>', '')}@"),
    ("answer-is", "answer", f"(?:{FORMS['answer-is']})@"),
    ("答案是", "答案", rf"(?:{CHINESE_IS})\s{{0,3}}@"),
    ("答案是", "答案", r"答案(?:选项)?\s{0,3}@"),
    ("heading", "answer|答案", f"(?:{FORMS['heading']})@"),
    ("answer:", f"answer|{FOREIGN_HINTS}", f"(?:{FORMS['answer:']})@"),
    ("####", "####", f"{FORMS['####']}@"),
    (
        "choice-is",
        "option|choice|statement",
        rf"\b(?:{_KIND})(?:(?i:answer)\s)?(?i:option|choice|statement)(?:\s(?i:here|below|above))?{_IS}@",
    ),
    (
        "choice-that",
        "option|choice|statement",
        rf"\b(?i:(?:option|choice|statement)\s(?:that|which))\b[^.\n:]{{1,60}}?{_IS}@",
    ),
    ("option:", "option|choice", rf"\b(?i:option|choice){COLON}(?!\n)(?<!\n)@"),
    ("choose", _CHOOSING, rf"\b(?i:(?:i|we){_VERB})(?:\swith)?\s@"),
    ("选", "选", rf"(?:选择|选出|选取|选)(?!项)(?:的)?(?:答案)?{_ZH_IS}@"),
    (
        "是",
        _ZH_KIND,
        rf"(?:{_ZH_KIND})的?(?:选项|答案|说法|一项|结论|叙述|描述)?{SHOULD}(?:是|为|:)\s{{0,3}}@",
    ),
    ("只有", "只有", r"只有(?:选项)?@[\s*_)]{0,3}(?:选项|项)?是?(?:对|正确|错|不正确|错误|不对|符合)"),
    ("答", "答", r"(?:所以|因此|故)答:?@"),
)
_JUDGED: tuple[tuple[str, str, str], ...] = (
    (
        "is-correct",
        "is correct|is right|is best|is the correct|is the right|is the best|is only|is the only",
        r"@[\s*_)\]}]{0,4}\s(?i:is\s(?:the\s)?(?:only\s)?(?:correct|right|best)\b)",
    ),
    ("是正确", "正确|是对", r"@[\s*_)]{0,3}(?:选项|项)?\s?(?:是(?:正确|对)的?|正确)"),
)
_CONCLUDED: tuple[tuple[str, str, str], ...] = (
    (
        "therefore",
        "therefore|thus|hence|so",
        rf"\b(?i:therefore|thus|hence|so)\b,?\s(?:(?i:it|that|this)(?i:\sis|'s|’s)\s)?@{_CLOSING}\Z",
    ),
    ("所以", "所以|因此|故|即|显然|综上", rf"(?:所以|因此|故|即|显然|综上(?:所述)?){SHOULD},?{_ZH_IS}@{_CLOSING}\Z"),
    ("是", "是|为", rf"(?:应该|应当|应|就|正)?[是为]\s{{0,3}}@(?:选项|项)?{_CLOSING}\Z"),
)
