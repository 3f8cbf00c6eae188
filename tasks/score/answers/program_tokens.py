"""Special tokens of model families in an answer that holds a program: they are no part of it."""

import re
from collections.abc import Iterator

from tasks.score.answers.special_tokens import ENDING_TOKENS, SPECIAL_TOKENS, pattern_of

# In programs `[EOS]` may be a list, and `a <s> b` two comparisons; `</s>` and `<|im_end|>` are never anything else.
_LISTS = frozenset(token for token in SPECIAL_TOKENS if re.fullmatch(r"\[\w+\]", token))
_COMPARISONS = frozenset(token for token in SPECIAL_TOKENS if re.fullmatch(r"<\w+>", token))
_MARK = (
    r"(?:<\|im_start\|>|<\|start_header_id\|>|<\|header_start\|>|<start_of_turn>)[ \t]*(?:assistant|model)\b"
    rf"|(?P<never>{pattern_of(SPECIAL_TOKENS - _LISTS - _COMPARISONS).pattern})"
    rf"|^[ \t]*+(?P<alone>{pattern_of(_LISTS).pattern})[ \t\r]*+$"
    rf"|^[ \t]*+(?P<first>{pattern_of(_COMPARISONS).pattern})"
    rf"|(?P<last>{pattern_of(_COMPARISONS).pattern})(?=[ \t\r]*+(?:$|`))"
)
# Texts in the program may hold any of them; a quote that does not close on its line is an apostrophe.
_TEXTS = (
    r"""(?P<string>\"""[\s\S]*?\"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*+"|'(?:\\.|[^'\\\n])*+')"""
    r"""|(?P<unclosed>"(?:\\.|[^"\\\n])*+|'(?:\\.|[^'\\\n])*+)"""
)
_MARK_OR_TEXT = re.compile(f"{_TEXTS}|{_MARK}", re.MULTILINE)
_MARK_ALONE = re.compile(_MARK, re.MULTILINE)


def mask_special_tokens(text: str) -> str:
    """The text with line breaks in place of special tokens, so that positions stay what they are.

    Also in place of all that follows one that ends an answer: a model that goes on behind it answers something else.
    Takes linear time.
    """
    masked: list[str] = []
    position, has_begun = 0, False
    for match in _marks(text):
        has_begun = has_begun or bool(text[position : match.start()].strip())
        masked += [text[position : match.start()], "\n" * len(match[0])]
        position = match.end()
        token = match["never"] or match["alone"] or match["first"] or match["last"]
        if token in ENDING_TOKENS and has_begun:
            return "".join([*masked, "\n" * (len(text) - position)])
    return "".join([*masked, text[position:]])


def _marks(text: str) -> Iterator[re.Match[str]]:
    for match in _MARK_OR_TEXT.finditer(text):
        if match["unclosed"] is not None:
            yield from _MARK_ALONE.finditer(text, match.start(), match.end())
        elif match["string"] is None:
            yield match
