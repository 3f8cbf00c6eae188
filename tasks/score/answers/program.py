"""Program text in an answer: the fenced blocks, or the answer itself where it has no fence."""

import re
from typing import NamedTuple

from tasks.score.answers.program_tokens import mask_special_tokens
from tasks.score.answers.reasoning import mask_reasoning
from tasks.score.interface import Extraction

_FENCE = re.compile(
    r"^[ \t>]{0,12}(?P<start>`{3,}|~{3,})|(?<=[^`\n])(?P<end>`{3,})[ \t\r]*$"
    # An opening fence behind text: the name of the language tells it.
    r"|(?<=[^`\n])(?P<late>`{3,})(?=(?:python3?|py)[ \t\r]*$)",
    re.MULTILINE,
)
# A word directly behind the fence is a language only if the line ends there: "```return x" is code.
_LANGUAGE = re.compile(
    r"[ \t]{0,4}\{?\.?(?P<name>[A-Za-z][\w+#.-]{0,30})?\}?(?:[ \t]+(?:\{[^}\n]{0,99}\}|\w+=[^\n]{0,99}))?"
    r"[ \t\r]*(?:\n|\Z)"
)
_NOT_A_PROGRAM = frozenset(
    {
        "bash", "sh", "shell", "zsh", "console", "terminal", "text", "txt", "plaintext", "output", "stdout", "markdown",
        "md", "json", "yaml", "toml", "diff",
    }
)  # fmt: skip
_LANGUAGES = _NOT_A_PROGRAM | {
    "python", "python2", "python3", "py", "py3", "ipython", "pycon", "pyi", "c", "c++", "cpp", "csharp", "cs", "c#",
    "css", "dart", "go", "golang", "haskell", "html", "java", "javascript", "js", "jsx", "julia", "kotlin", "latex",
    "lua", "matlab", "perl", "php", "powershell", "r", "ruby", "rust", "scala", "sql", "swift", "tex", "tsx", "ts",
    "typescript", "xml",
}  # fmt: skip
"""Names that open a block where one is open still."""
_PROGRAM_START = re.compile(r"(?:[ \t\r]*\n)*(?: {2}|\t|def |class |import |from \w+ import |@\w)")
_BLANK_LINES = re.compile(r"(?:[ \t\r\f\v]*\n)*")


class CodeBlock(NamedTuple):
    """One fenced block."""

    code: str
    """Without the fences and the blank lines around it; indentation stays."""
    language: str
    """As written behind the fence, in lower case; empty if nothing is."""
    span: tuple[int, int]
    """Of the code in the text."""
    is_closed: bool


def code_blocks(text: str) -> list[CodeBlock]:
    """The fenced blocks in order, empty ones left out; one that never closes reaches to the end of the text."""
    blocks: list[CodeBlock] = []
    opened: _Opening | None = None
    for match in _FENCE.finditer(text):
        fence = match["start"] or match["end"] or match["late"]
        if opened is None:
            if not match["end"]:
                opened = _opening(text, match)
            continue
        if match.end() <= opened.start or fence[0] != opened.fence[0] or len(fence) < len(opened.fence):
            continue
        _add(blocks, text, opened, match.start(), is_closed=True)
        begins_another = not match["end"] and _names_a_language(text, match.end())
        opened = _opening(text, match) if begins_another else None
    if opened is not None:
        _add(blocks, text, opened, len(text), is_closed=False)
    return blocks


def code_answer(text: str, which: int) -> Extraction:
    """Block number `which` (0 the first, -1 the last) of those that can be a program; without a fence the whole text.

    Where the text begins as a program and its only fence closes it, what stands before that fence. Never raises,
    takes linear time.
    """
    text = mask_special_tokens(mask_reasoning(text))
    first = _FENCE.search(text)
    if first is None:
        return _whole(text, 0, len(text), "whole-text")
    blocks = code_blocks(text)
    if len(blocks) <= 1 and not any(block.is_closed or block.language for block in blocks):
        before = _whole(text, 0, first.start(), "before-fence") if _PROGRAM_START.match(text) else None
        if before and before.answer:
            return before
    programs = [block for block in blocks if block.language not in _NOT_A_PROGRAM] or blocks
    if not programs:
        return Extraction.unparsed()
    block = programs[which]
    return Extraction(block.code, "fence" if block.is_closed else "open-fence", block.span)


class _Opening(NamedTuple):
    start: int
    """Of the code."""
    language: str
    fence: str
    indent: int
    """Blanks before the fence, which the lines of the block have as well."""


def _opening(text: str, match: re.Match[str]) -> _Opening:
    fence = match["start"] or match["end"] or match["late"]
    indent = len(match[0]) - len(fence) if match[0].endswith(fence) and not match[0].strip(" `~") else 0
    language = _LANGUAGE.match(text, match.end())
    if language is None:
        return _Opening(match.end(), "", fence, indent)
    return _Opening(language.end(), (language["name"] or "").lower(), fence, indent)


def _names_a_language(text: str, position: int) -> bool:
    """Whether the line ends with the name of a language; any other text behind a closing fence is no program."""
    language = _LANGUAGE.match(text, position)
    return language is not None and (language["name"] or "").lower() in _LANGUAGES


def _add(blocks: list[CodeBlock], text: str, opening: _Opening, stop: int, *, is_closed: bool) -> None:
    code, span = _trimmed(text, opening.start, stop)
    if code and opening.indent:
        code = re.sub(rf"^ {{1,{opening.indent}}}", "", code, flags=re.MULTILINE)
    if code:
        blocks.append(CodeBlock(code, opening.language, span, is_closed))


def _whole(text: str, start: int, stop: int, rule: str) -> Extraction:
    code, span = _trimmed(text, start, stop)
    return Extraction(code, rule, span) if code else Extraction.unparsed()


def _trimmed(text: str, start: int, stop: int) -> tuple[str, tuple[int, int]]:
    """The text without blank lines before it and blanks behind it; the first line keeps its indentation."""
    blank = _BLANK_LINES.match(text, start, stop)
    start = blank.end() if blank else start
    code = text[start:stop].rstrip()
    return code, (start, start + len(code))
