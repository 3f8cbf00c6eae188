"""The option a text states as its answer; where it states none, or several that contradict each other, it says so."""

import re
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from heapq import merge
from itertools import islice, pairwise, takewhile
from typing import NamedTuple

from tasks.score.answers.next_question_cut import sections
from tasks.score.answers.option_patterns import OptionPatterns, Pattern, fold, option_patterns
from tasks.score.answers.visible import visible
from tasks.score.interface import Extraction, ExtractionStatus

_NEGATED = re.compile(
    r"(?i:\b(?:not|never|cannot|isn't|isn’t)\s(?:(?:be|the|an?|my)\s){0,2}(?:(?:correct|right|best|final)\s)?$|\b(?:incorrect|wrong)\s$)"
    r"|不[能应该会可以]{0,3}$|(?:没有?|勿|别|非)$"
)
_SUPPOSED = re.compile(
    r"(?i:\b(?:if|whether|suppose|assuming|unless)\b[^.,;\n]{0,20})$|(?:如果|假如|假设|若|是否)[^。;,\n]{0,8}$"
)
_REJECTED = re.compile(
    r"[\s*_)\]}]{0,4}(?:选项|项)?(?:也|都|均|皆|就|显然){0,2}(?:是)?(?:错|不对|不正确|不符|有误)"
    r"|[\s*_)\]}]{0,4}\s(?i:is|are)\s(?:(?i:also|all|both|clearly)\s)?(?i:wrong|incorrect|false|not\b)"
)
_HAS_WORDS = re.compile(r"(?<![^\W_])(?!(?i:and|or)\b|[和与及或])[^\W_]|[^\s\w,;、。.&/()\[\]*]")
_JUDGEMENT = re.compile(
    r"(?i:\b(?:wrong|incorrect|false|because|since|not|correct|right|true)\b)|错|不对|正确|因为|符合"
)
_FINAL = re.compile(
    r"(?i:\b(?:final|therefore|thus|hence|so|finally|overall|conclusion)\b)|最终|因此|所以|综上|故|总之"
)
_LETTER_FIRST = frozenset({"is-correct", "是正确"})
"""Rules whose letter comes first, so that another may stand before it."""
_MOST_STATEMENTS = 64
_LONGEST_LINE = 200
_LONGEST_END = 400
_LONGEST_LIST = 2000
_BOTH_VERDICTS = "只有"
"""The rule whose words behind the letter may say that the option is wrong, and yet it is the answer."""


class _Statement(NamedTuple):
    """A place in the text that names an option as the answer."""

    letter: str | None
    """None: it names several."""
    rule: str
    start: int
    span: tuple[int, int]
    """Of the letter."""


def option_answer(text: str, options: str, cushion: bool = False, last_wins: bool = False) -> Extraction:
    """The letter of `options` that the text gives as its answer; with `cushion`, a guess where it gives none.

    Statements that contradict each other are ambiguous, unless the last is final or `last_wins`. Never raises,
    takes linear time.
    """
    text = fold(visible(text))
    patterns = option_patterns(options)
    for start, stop in sections(text):
        if found := _in_section(text[start:stop], start, patterns, last_wins):
            return found
    return _guess(text, patterns) if cushion else Extraction.unparsed()


def _in_section(text: str, offset: int, patterns: OptionPatterns, last_wins: bool) -> Extraction | None:
    stated = [*_alone_on_first_line(text, patterns), *_statements(text, patterns.stated, patterns)]
    if stated:
        return _decided(stated, offset, last_wins=last_wins or _is_final(text, stated[-1]))
    for find in (_judged, _concluded, _leading):
        if statements := find(text, patterns):
            return _decided(statements, offset, last_wins=last_wins)
    return None


def _decided(statements: list[_Statement], offset: int, *, last_wins: bool) -> Extraction:
    """One letter if all agree or the last one counts, else ambiguous."""
    last = statements[-1]
    span = (last.span[0] + offset, last.span[1] + offset)
    agreed = len({statement.letter for statement in statements}) == 1
    if last.letter is not None and (agreed or last_wins):
        return Extraction(last.letter, last.rule, span)
    return Extraction(None, last.rule, span, ExtractionStatus.AMBIGUOUS)


def _is_final(text: str, statement: _Statement) -> bool:
    """Whether the text ends with the statement, or calls it its conclusion."""
    last_line = text.rfind("\n", 0, len(text.rstrip())) + 1
    if statement.rule == "box" or statement.span[0] >= last_line:
        return True
    return bool(_FINAL.search(text, max(0, statement.start - 20), statement.span[0]))


def _statements(text: str, table: Iterable[Pattern], patterns: OptionPatterns) -> list[_Statement]:
    found: dict[int, _Statement] = {}
    lower = text.lower().replace("\n", " ").replace("\t", " ")
    is_ascii = text.isascii()
    for pattern in table:
        if (pattern.is_foreign and is_ascii) or not any(hint in lower for hint in pattern.hints):
            continue
        for match in deque(_matches(pattern, text, lower), maxlen=_MOST_STATEMENTS):
            if not (
                _is_denied(text, match) or _is_rejected(text, match, pattern.rule) or _is_echo(text, match, patterns)
            ):
                statement = _statement(text, match, pattern.rule, patterns)
                found.setdefault(statement.span[0], statement)
    return sorted(found.values(), key=lambda statement: statement.span)


def _matches(pattern: Pattern, text: str, lower: str) -> Iterator[re.Match[str]]:
    """The matches in order; looks only where a hint stands, if that is where matches begin."""
    if not pattern.begins or len(lower) != len(text):
        yield from pattern.regex.finditer(text)
        return
    end = 0
    for position in _positions(lower, pattern.hints):
        match = pattern.regex.match(text, position) if position >= end else None
        if match:
            end = match.end()
            yield match


def _positions(lower: str, hints: Sequence[str]) -> Iterator[int]:
    """Where one of the hints stands, from left to right."""
    return merge(*(_occurrences(lower, hint) for hint in hints if hint in lower))


def _occurrences(lower: str, hint: str) -> Iterator[int]:
    position = lower.find(hint)
    while position >= 0:
        yield position
        position = lower.find(hint, position + 1)


def _judged(text: str, patterns: OptionPatterns) -> list[_Statement]:
    return _statements(text, patterns.judged, patterns)


def _statement(text: str, match: re.Match[str], rule: str, patterns: OptionPatterns) -> _Statement:
    start, end = match.span("x")
    behind = patterns.another.match(text, end)
    comes_first = start == match.start() or rule in _LETTER_FIRST
    before = patterns.before.search(text[max(0, start - 12) : start]) if comes_first else None
    letter = patterns.as_given[match["x"]]
    several = any(other and patterns.as_given[other["other"]] != letter for other in (behind, before))
    return _Statement(None if several else letter, rule, match.start(), (start, end))


def _is_denied(text: str, match: re.Match[str]) -> bool:
    """Whether the statement is negated or only supposed: "not choose B", "如果选B"."""
    before = text[max(0, match.start() - 30) : match.start()]
    return bool(_NEGATED.search(before) or _SUPPOSED.search(before))


def _is_rejected(text: str, match: re.Match[str], rule: str) -> bool:
    """Whether the words behind the letter call it wrong: "选B是错误的"."""
    return rule != _BOTH_VERDICTS and _REJECTED.match(text, match.end("x")) is not None


def _is_echo(text: str, match: re.Match[str], patterns: OptionPatterns) -> bool:
    """Whether the letter opens a list of all options: "Answer: A. Paris B. London C. Rome D. Oslo"."""
    return is_list_of_options(text, match.start("x"), "".join(dict.fromkeys(patterns.as_given.values())))


def is_list_of_options(text: str, start: int, options: str) -> bool:
    """Whether from `start` on the options stand one after the other with a mark each, and none is judged."""
    listed = option_patterns(options).listed
    items = list(islice(listed.finditer(text, start, start + _LONGEST_LIST), len(options) + 1))
    if not items or items[0].start() != start or len(options) < 2:
        return False
    known = [item for item, _ in takewhile(lambda pair: pair[0]["x"] == pair[1], zip(items, options, strict=False))]
    if len(known) < min(3, len(options)) or _JUDGEMENT.search(text, start, known[-1].end()):
        return False
    # "(A), (B) and (C)" names them all; a list of options has words behind each.
    return all(_HAS_WORDS.search(text, one.end(), other.start()) for one, other in pairwise(known))


def _alone_on_first_line(text: str, patterns: OptionPatterns) -> list[_Statement]:
    start = len(text) - len(text.lstrip())
    end = text.find("\n", start)
    return _alone(text, start, len(text) if end < 0 else end, "first-line", patterns)


def _alone(text: str, start: int, end: int, rule: str, patterns: OptionPatterns) -> list[_Statement]:
    if end - start > _LONGEST_LINE:
        return []
    match = patterns.only.fullmatch(text, start, end)
    line = text[start:end].strip()
    if len(line) - len(line.lstrip("$")) != len(line) - len(line.rstrip("$")):
        return []  # a formula that was cut off
    return [_Statement(patterns.as_given[match["x"]], rule, match.start(), match.span("x"))] if match else []


def _concluded(text: str, patterns: OptionPatterns) -> list[_Statement]:
    """What the end of the text says: a conclusion, or a line with nothing but the letter."""
    end = len(text.rstrip())
    begin = max(text.rfind("\n", 0, end) + 1, 0)
    if alone := _alone(text, begin, end, "last-line", patterns):
        return alone
    tail = max(0, end - _LONGEST_END)
    is_ascii = text[tail:end].isascii()
    for pattern in patterns.concluded:
        match = None if pattern.is_foreign and is_ascii else pattern.regex.search(text, tail, end)
        if match and not _is_denied(text, match):
            return [_statement(text, match, pattern.rule, patterns)]
    return []


def _leading(text: str, patterns: OptionPatterns) -> list[_Statement]:
    """`B. because …` is an answer, unless the text goes through several options that way."""
    match = patterns.leading.match(text)
    if match is None:
        return []
    others = deque((other["x"] for other in patterns.listed.finditer(text) if other["x"] != match["x"]), maxlen=1)
    return [] if others else [_statement(text, match, "leading", patterns)]


def _guess(text: str, patterns: OptionPatterns) -> Extraction:
    for rule, regex in (("fallback:letter-colon", patterns.marked), ("fallback:any-letter", patterns.alone)):
        if match := regex.search(text):
            return Extraction(match["x"], rule, match.span("x"))
    return Extraction.unparsed()
