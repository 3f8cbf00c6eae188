r"""The pieces of LaTeX that wrap answers: `\boxed{…}` and text commands, found by counting braces."""

import re
from collections import deque
from typing import NamedTuple

_BOX_OR_BRACE = re.compile(r"\\(?:boxed|fbox)\s{0,9}\{|\\.|\{+|\}", re.DOTALL)
_COMMAND_OR_BRACE = re.compile(
    r"\\(?:text(?:bf|it|rm|sf|tt|normal)?|mbox|mathrm|mathbf|mathit|mathsf|bm|boldsymbol)\s{0,9}\{|\\.|[{}]", re.DOTALL
)
_SENTENCE_END = re.compile(r"[.!?。！？](?=\s|$)|\n\s*\n")
_LONGEST_LINK = 80
_MOST_BOXES = 64


class Box(NamedTuple):
    r"""The content of one `\boxed{…}` or `\fbox{…}`."""

    content: str
    span: tuple[int, int]
    """From the backslash to behind the closing brace."""


def boxes(text: str) -> list[Box]:
    """The last 64 closed boxes in order; of boxes inside one another the outermost. One pass, whatever the nesting."""
    if "\\boxed" not in text and "\\fbox" not in text:
        return []
    found: deque[tuple[int, int, int]] = deque(maxlen=_MOST_BOXES)
    """Start of the command, start of the content, position of the closing brace."""
    opened: list[tuple[int, int, int]] = []
    """Depth of the brace, start of the command, start of the content."""
    depth = 0
    for match in _BOX_OR_BRACE.finditer(text):
        token = match[0]
        if token == "}":
            if opened and opened[-1][0] == depth:
                _, start, inner = opened.pop()
                while found and found[-1][0] > start:
                    found.pop()
                found.append((start, inner, match.start()))
            depth = max(depth - 1, 0)
        elif token[0] == "{":
            depth += len(token)
        elif token[-1] == "{" and len(token) > 2:
            depth += 1
            opened.append((depth, match.start(), match.end()))
    return [Box(text[inner:end], (start, end + 1)) for start, inner, end in found]


def last_group(found: list[Box], text: str) -> list[Box]:
    """The last box together with those directly before it in the same sentence: one answer in several parts."""
    group = found[-1:]
    for box in reversed(found[:-1]):
        gap = text[box.span[1] : group[0].span[0]]
        if len(gap) > _LONGEST_LINK or _SENTENCE_END.search(gap):
            break
        group.insert(0, box)
    return group


def without_text_commands(content: str) -> str:
    r"""The content with `\text{…}` and its kin replaced by what they hold; other braces stay."""
    pieces: list[str] = []
    wraps: list[bool] = []
    """For each open brace: whether it belongs to a text command."""
    position = 0
    for match in _COMMAND_OR_BRACE.finditer(content):
        token = match[0]
        if token[0] != "\\" or len(token) > 2:
            drop = wraps.pop() if token == "}" and wraps else len(token) > 2
            if token != "}":
                wraps.append(drop)
            pieces.append(content[position : match.start() if drop else match.end()])
            position = match.end()
    return "".join(pieces) + content[position:]
