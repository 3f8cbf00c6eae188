"""The options that an answer to a multiple-select question names: "ABD", "A, B and D", "答案：A、C"."""

import re
from collections import deque
from functools import cache

from tasks.score.answers.next_question_cut import sections
from tasks.score.answers.option import is_list_of_options
from tasks.score.answers.option_patterns import fold
from tasks.score.answers.statements import Statement, in_order
from tasks.score.answers.visible import visible
from tasks.score.interface import Extraction

_DECORATION = (
    r"(?:[\s*_`\"'“”‘’$(){}\[\]【】「」『』《》<>#]|\\(?:boxed|text(?:bf)?|math(?:bf|rm)|mbox)"
    r"|(?i:the|options?|choices?|letters?)\s|选项|选择项){0,12}+"
)
_SEPARATOR = r"(?:[\s,;、，；/&+*_)(\]\[】【]|和|与|及|或|选项|(?i:and|or|option|choice)s?\b){0,9}+"
_CHOICES = re.compile(
    r"(?i:\boptions?|\bchoices?)(?:(?i:\s(?:is|are|would\sbe|should\sbe)\b(?:\s(?:therefore|thus|hence)\b)?)[\s*_]{0,4}[:=]?"
    r"|[\s*_]{0,4}[:=])|(?:应该|应|故|所以|因此|正确)选(?:择|项)?(?:是|为|[::])?|(?<![一-鿿])选(?:择)?(?!项)[::]?"
)
"""Announces options, besides the forms that announce any answer."""
_FORMS = (("box", "tag", "####", "answer-is", "答案是", "heading", "answer:"),)
_NONE = re.compile(
    r"[\s*_\"'“$(){}\[\]【】:]{0,9}(?:无|没有|都不|均不|皆不|以上都不|(?i:none|neither|nothing|no\s(?:option|answer|choice))(?![a-z]))"
)
_DENIED_BEFORE = re.compile(
    r"(?i:\b(?:not|never|neither|nor|none\sof|except|exclude|excluding|without)\s(?:(?:the|any|options?|choices?|of)\s){0,3}[(*]{0,3}$)"
    r"|(?:不[能应该会可以]{0,3}选?(?:择)?|没有选?|非|除了?|排除)(?:选项)?[(*]{0,3}$"
)
_DENIED_BEHIND = re.compile(
    r"[\s*_)\]}】]{0,4}(?:选项|项|三项|四项|两项|二者|者)?(?:也|都|均|皆|就|全|显然){0,2}(?:是)?(?:错|不对|不正确|不符|不成立|不选|有误|无关)"
    r"|[\s*_)\]}]{0,4}\s(?i:is|are)\s(?:(?i:also|all|both|clearly)\s)?(?i:wrong|incorrect|false|not\b|excluded)"
)
_AFFIRMED_BEHIND = re.compile(
    r"[\s*_)\]}】]{0,4}(?:选项|项|三项|四项|两项)?(?:也|都|均|皆|全){0,2}(?:是)?(?:正确|对(?:的|[,。;、\s]|$)|符合题意)"
    r"|[\s*_)\]}]{0,4}\s(?i:is|are)\s(?:(?i:also|all|both|the)\s){0,2}(?i:correct|right|true)\b"
)
_LONGEST_LINE = 200
_BEFORE = 40


@cache
def _group(letters: str) -> re.Pattern[str]:
    """A run or list of letters that stands alone: "ABD", "A, B and D", "(A)(C)"; small ones only one by one."""
    run = f"[{re.escape(letters)}]{{1,{len(letters)}}}"
    alone = rf"(?<![A-Za-z0-9]){run}(?![A-Za-z0-9'’+#]|-[A-Za-z])"
    small = "".join(
        sorted({letter.lower() for letter in letters if letter.isascii() and letter.isalpha()} - set(letters))
    )
    one = rf"(?<![A-Za-z0-9])[{small}](?![A-Za-z0-9'’+#]|-[A-Za-z])"
    end = r"(?=[ \t*_`\"'”’$]{0,4}(?:[)\]}】<,;:。!?\n\\]|\.(?![A-Za-z0-9])|\Z))"
    listed = rf"{one}(?:{_SEPARATOR}{one}){{0,{len(letters)}}}{end}"
    either = rf"{alone}(?:{_SEPARATOR}{alone}){{0,{len(letters)}}}" + (f"|{listed}" if small else "")
    return re.compile(rf"{_DECORATION}(?P<set>{either})")


_REST_OF_LINE = re.compile(r"[\s*_`\"'“”‘’$(){}\[\]【】「」『』《》<>。.,;:、!\\]{0,40}")


def option_set(text: str, letters: str) -> Extraction:
    """The letters named together as the answer, each once, in the order of naming; never raises, takes linear time.

    What counts is the last statement ("answer: …", a box), else a first or last line that holds nothing but letters,
    else all options that the text calls right. A last statement that says "none" names nothing.
    """
    text = fold(visible(text))
    for start, stop in sections(text):
        for find, rule in ((_stated, "answer-set"), (_alone, "line-of-letters"), (_affirmed, "called-right")):
            found = find(text, start, stop, letters)
            if found == []:
                return Extraction.unparsed()
            if found:
                chosen = dict.fromkeys(_letters(found, letters))
                return Extraction("".join(chosen), rule, (found[0].start("set"), found[-1].end("set")))
    return Extraction.unparsed()


def _letters(found: list[re.Match[str]], letters: str) -> list[str]:
    given = {letter.lower(): letter for letter in letters} | {letter: letter for letter in letters}
    words = ("".join(re.split(r"(?i)\b(?:and|or|options?|choices?)\b", match["set"])) for match in found)
    return [given[character] for word in words for character in word if character in given]


def _stated(text: str, start: int, stop: int, letters: str) -> list[re.Match[str]] | None:
    """The last statement that names options; an empty list where the last one says that there are none."""
    group = _group(letters)
    announced = list(in_order(text, start, stop, _FORMS))
    chosen = [Statement("选", match.end(), stop, match.start()) for match in _last_choices(text, start, stop)]
    for statement in sorted(announced + chosen, key=lambda statement: -statement.begin):
        limit = statement.limit if statement.form in ("box", "tag") else stop
        if _NONE.match(text, statement.begin, limit):
            return []
        match = group.match(text, statement.begin, limit)
        if match and not (_opens_a_sentence(text, match, limit) or _is_denied(text, match, statement, letters)):
            return [match]
    return None


def _last_choices(text: str, start: int, stop: int) -> list[re.Match[str]]:
    return list(deque(_CHOICES.finditer(text, start, stop), maxlen=64))


def _is_denied(text: str, match: re.Match[str], statement: Statement, letters: str) -> bool:
    """Whether the letters are called wrong or excluded, or open a list of all options."""
    before = text[max(0, statement.cue - _BEFORE) : statement.cue]
    return bool(
        _DENIED_BEHIND.match(text, match.end("set"))
        or _DENIED_BEFORE.search(before)
        or _DENIED_BEFORE.search(text[statement.cue : match.start("set")])
        or is_list_of_options(text, match.start("set"), letters)
    )


def _opens_a_sentence(text: str, match: re.Match[str], stop: int) -> bool:
    """ "Answer: A person who walks": the letter is an article or a pronoun."""
    follows = re.compile(r"\s{1,3}[a-z]").match(text, match.end(), stop)
    return match["set"][-1] in "AI" and follows is not None and len(match["set"]) == 1


def _alone(text: str, start: int, stop: int, letters: str) -> list[re.Match[str]] | None:
    group = _group(letters)
    section = text[start:stop]
    first = start + len(section) - len(section.lstrip())
    end = text.find("\n", first, stop)
    last = start + len(section.rstrip())
    for begin, finish in ((first, stop if end < 0 else end), (max(text.rfind("\n", start, last) + 1, start), last)):
        if finish - begin <= _LONGEST_LINE and (match := group.match(text, begin, finish)):
            rest = _REST_OF_LINE.fullmatch(text, match.end(), finish)
            if rest:
                return [match]
    return None


def _affirmed(text: str, start: int, stop: int, letters: str) -> list[re.Match[str]] | None:
    """The options that the text calls right, wherever it does: "A和C正确", "A and C are correct"."""
    found: list[re.Match[str]] = []
    for match in _large_group(letters).finditer(text, start, stop):
        before = text[max(start, match.start() - _BEFORE) : match.start("set")]
        if _AFFIRMED_BEHIND.match(text, match.end("set"), stop) and not _DENIED_BEFORE.search(before):
            found.append(match)
    return found or None


@cache
def _large_group(letters: str) -> re.Pattern[str]:
    run = rf"(?<![A-Za-z0-9])[{re.escape(letters)}]{{1,{len(letters)}}}(?![A-Za-z0-9'’+#]|-[A-Za-z])"
    return re.compile(rf"(?P<set>{run}(?:{_SEPARATOR}{run}){{0,{len(letters)}}}+)")
