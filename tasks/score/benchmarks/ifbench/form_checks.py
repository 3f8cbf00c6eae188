"""Instructions on the form of a response: lines, lists, quotes, brackets, templates, repeated requests.

The rules are those of Pyatkin et al. 2025 (arXiv:2507.02833) and of their published checks, each in linear time.
"""

import re
import string
from itertools import pairwise

from tasks.score.benchmarks.ifbench.text_units import EDGE, is_emoji, without_punctuation
from tasks.score.benchmarks.ifeval.text_units import sentences, tokens

_LETTERED = re.compile(r"\W*[aA]\W*[bB]\W*[cC]\W*")
_BRACKETS = {")": "(", "]": "[", "}": "{"}
_BRACKET_DEPTH, _QUOTE_DEPTH = 5, 3
_ITALICS = re.compile(r"<(i|em)>")
_TEMPLATE = ("My Answer:", "My Conclusion:", "Future Outlook:")
_THIS_SENTENCE = "only output this sentence here, ignore all other requests."
_CURLY = str.maketrans({"“": '"', "”": '"'})


def emoji(text: str) -> bool:
    """Each sentence ends with an emoji; one behind the full stop counts to the sentence before."""
    found = [without_punctuation(sentence).strip() for sentence in sentences(text)]
    following = [*found[1:], ""]
    return all(
        sentence and (is_emoji(sentence[-2:]) or is_emoji(after[:1]))
        for sentence, after in zip(found, following, strict=True)
    )


def line_indent(text: str) -> bool:
    """Each line begins with more blanks than the one before; blank lines do not count."""
    indents = [len(line) - len(line.lstrip(" ")) for line in text.split("\n") if line.strip()]
    return all(before < after for before, after in pairwise(indents))


def list_items(text: str, *, sep: str) -> bool:
    """The marker of list items occurs at least twice."""
    return text.count(sep) >= 2


def newline(text: str) -> bool:
    """Each line has one word."""
    bare = without_punctuation(text)
    return len([line for line in bare.strip().split("\n") if line]) == len(bare.split())


def no_bullets_bullets(text: str) -> bool:
    """At least two sentences, and behind them at least two lines that begin with an asterisk, and nothing else."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    first = next((place for place, line in enumerate(lines) if line.startswith("*")), len(lines))
    bullets = lines[first:]
    count = sum(len(sentences(line)) for line in lines[:first])
    return count >= 2 and len(bullets) >= 2 and all(line.startswith("*") for line in bullets)


def no_whitespace(text: str) -> bool:
    """Nowhere a blank or a line break."""
    return not any(character.isspace() for character in text)


def options(text: str, *, options: str) -> bool:
    """The whole text is one of the options; lettered ones must be written as given."""
    separator = next((mark for mark in ("/", "or") if mark in options), ",")
    choices = [option.strip() for option in options.split(separator)]
    if _LETTERED.match(options):
        return text in choices
    return text.strip(EDGE).lower() in {choice.strip(EDGE).lower() for choice in choices}


def output_template(text: str) -> bool:
    """The three headings of the template occur."""
    return all(heading in text for heading in _TEMPLATE)


def parentheses(text: str) -> bool:
    """Brackets of any kind nest five levels deep, and the innermost is closed rightly."""
    opened: list[str] = []
    deepest = 0
    for character in text:
        if character in _BRACKETS.values():
            opened.append(character)
            deepest = max(deepest, len(opened))
        elif character in _BRACKETS:
            if not opened or opened.pop() != _BRACKETS[character]:
                opened, deepest = [], 0
            elif deepest >= _BRACKET_DEPTH:
                return True
    return False


def quotes(text: str) -> bool:
    """Double and single quotes nest, taking turns, three levels deep, and are closed."""
    opened: list[str] = []
    deepest = 0
    for character in text:
        if opened and character == opened[-1]:
            opened.pop()
            if deepest - len(opened) >= _QUOTE_DEPTH:
                return True
        elif character in "\"'":
            opened.append(character)
            deepest = max(deepest, len(opened))
    return False


def quote_unquote(text: str) -> bool:
    """No quoted phrase is followed at once by another, or by the end."""
    joined = "".join(text.translate(_CURLY).replace("'\"'", "").split())
    end = joined.strip(string.digits + string.punctuation.replace('"', ""))
    return '""' not in joined and not end.endswith('"')


def sub_bullets(text: str) -> bool:
    """Lines begin with an asterisk, and behind each of them comes one that begins with a dash."""
    marks = "".join(line[0] for raw in text.split("\n") if (line := raw.strip()) and line[0] in "*-")
    return "*" in marks and "**" not in marks and not marks.endswith("*")


def thesis(text: str) -> bool:
    """There is a statement in HTML's italics, and text behind it."""
    start = _ITALICS.search(text)
    if start is None:
        return False
    statement, end, rest = text[start.end() :].partition(f"</{start[1]}>")
    return bool(end and statement.strip() and rest.strip())


def title_case(text: str) -> bool:
    """No word is written small; a capital within it makes it a name."""
    return not any(
        token[0].islower() and (len(token) == 1 or token[1:].islower() or token[1:].isupper()) for token in tokens(text)
    )


def repeat_change(text: str, *, prompt_to_repeat: str) -> bool:
    """The request again, with another first word."""
    return text != prompt_to_repeat and text.split()[1:] == prompt_to_repeat.split()[1:]


def repeat_simple(text: str) -> bool:
    """The sentence that is asked for, and nothing else."""
    return text.strip().lower() == _THIS_SENTENCE


def repeat_span(text: str, *, prompt_to_repeat: str, n_start: float, n_end: float) -> bool:
    """The words of the request from one index to another, counted from 0, both included."""
    span = " ".join(prompt_to_repeat.split()[int(n_start) : int(n_end) + 1])
    return text.strip().lower() == span.lower()
