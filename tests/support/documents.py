"""The pages of the documentation as their readers use them: blocks of code, and what each is for.

A comment before a block, which no reader sees, says what the tests do with it:

    <!-- test: file=my_eval.py -->         it is that file from here on
    <!-- test: append=my_eval.py -->       it is added to that file
    <!-- test: run -->                     its commands are run, not only planned
    <!-- test: output -->                  what the commands before it print; numbers may differ, `…` is anything
    <!-- test: demo -->                    what `make demo` prints
    <!-- test: prefect -->                 run with a Prefect server
    <!-- test: not run: why -->            commands of others, or what needs a machine that tests have not got

Without one, Python that only assigns is a part of a configuration, which is planned; other Python is run as it stands;
JSON, TOML and YAML are read; what has no language is commands; `text` is not for a computer.
"""

import re
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from urllib.parse import unquote

from markdown_it import MarkdownIt
from markdown_it.token import Token
from support.repository import ROOT, repository_files

NOT_RUN = "not run"
DEMO = "demo"
PREFECT = "prefect"
_MARK = re.compile(r"<!--\s*test:\s*(.*?)\s*-->", re.DOTALL)
_COMMENT = re.compile(r"(?<![\w\"'$#])#\s.*$", re.MULTILINE)


@dataclass(frozen=True)
class Block:
    """One fenced block of a page."""

    page: str
    line: int
    language: str
    text: str
    marks: dict[str, str] = field(default_factory=dict)

    @property
    def place(self) -> str:
        return f"{self.page}:{self.line}"

    @property
    def bare(self) -> str:
        """Without comments and blank lines: what must be the same in every language."""
        lines = [line.rstrip() for line in _COMMENT.sub("", self.text).splitlines()]
        return "\n".join(line for line in lines if line)


def pages() -> list[str]:
    """README, the guides and their translations, relative to the repository."""
    names = [name for name in repository_files() if name.endswith(".md")]
    return [name for name in names if name.startswith(("docs/", "README"))]


def read_page(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def blocks_of(page: str) -> list[Block]:
    """The page's fenced blocks in their order, those within lists included."""
    blocks: list[Block] = []
    marks: dict[str, str] = {}
    for token in MarkdownIt("commonmark").parse(read_page(page)):
        if token.type == "html_block":
            marks = _marks(token.content)
        elif token.type == "fence":
            line = token.map[0] + 1 if token.map else 0
            blocks.append(Block(page, line, token.info.strip(), token.content, marks))
            marks = {}
        elif token.type in ("paragraph_open", "heading_open"):
            marks = {}
    return blocks


def _marks(comment: str) -> dict[str, str]:
    marks: dict[str, str] = {}
    for text in _MARK.findall(comment):
        name, _, value = re.sub(r"\s+", " ", text).replace(": ", "=", 1).partition("=")
        marks[name.strip()] = value.strip()
    return marks


def targets_of(page: str) -> list[str]:
    """What the page's links and pictures lead to, as they are written."""
    found: list[str] = []
    for token in MarkdownIt("commonmark").enable("table").parse(read_page(page)):
        for child in token.children or ():
            target = child.attrs.get("href") or child.attrs.get("src")
            if target:
                found.append(unquote(str(target)))
    return found


def codes_of(page: str) -> list[str]:
    """What is set as code within sentences and tables."""
    tokens = MarkdownIt("commonmark").enable("table").parse(read_page(page))
    return [child.content for token in tokens for child in token.children or () if child.type == "code_inline"]


def commands_of(page: str) -> list[str]:
    """Commands of ours that stand within sentences and tables."""
    return [code for code in codes_of(page) if code.startswith("compass ")]


def outline_of(page: str) -> list[str]:
    """Tags of headings, of rows of tables and of items of lists, in their order."""
    tokens = MarkdownIt("commonmark").enable("table").parse(read_page(page))
    return [token.tag for token in tokens if token.type in ("heading_open", "tr_open", "list_item_open")]


def anchors_of(page: str) -> set[str]:
    """The names that links can give to the page's headings, as GitHub and the site make them."""
    tokens = MarkdownIt("commonmark").parse(read_page(page))
    return {_slug(after) for before, after in pairwise(tokens) if before.type == "heading_open"}


def _slug(heading: Token) -> str:
    text = "".join(child.content for child in heading.children or () if child.type in ("text", "code_inline"))
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def page_path(page: str, target: str) -> Path:
    """The file that a link of a page leads to."""
    return (ROOT / page).parent / target.partition("#")[0] if target.partition("#")[0] else ROOT / page
