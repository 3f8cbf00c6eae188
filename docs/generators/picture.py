"""The picture of a run for the README: the output that the README shows, as a terminal."""

import re
from html import escape
from pathlib import Path
from unicodedata import east_asian_width

_README = Path(__file__).parents[2] / "README.md"
_OUTPUT = re.compile(r"<!-- test: demo -->\n```text\n(.*?)```", re.DOTALL)
_SIZE, _LEADING, _MARGIN = 13, 18, 16
_STYLE = (
    "rect{fill:#14161b}text{font:13px ui-monospace,SFMono-Regular,Menlo,monospace;fill:#d7dae0;white-space:pre}"
    ".prompt{fill:#8ec07c}"
)
_PROMPT = ' class="prompt"'


def demo_picture() -> str:
    """An SVG without fonts, scripts or links, so that every viewer shows it."""
    [output] = _OUTPUT.findall(_README.read_text(encoding="utf-8"))
    lines = ["$ make demo", *output.splitlines()]
    advance = _SIZE * 0.602
    width = round(max(map(_columns, lines)) * advance) + 2 * _MARGIN
    height = len(lines) * _LEADING + 2 * _MARGIN
    rows = [
        f'<text x="{_MARGIN}" y="{_MARGIN + _SIZE + number * _LEADING}" textLength="{_columns(line) * advance:.0f}"'
        f' lengthAdjust="spacingAndGlyphs"{_PROMPT if number == 0 else ""}>{escape(line)}</text>'
        for number, line in enumerate(lines)
        if line
    ]
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    return "\n".join(
        [head, f"<style>{_STYLE}</style>", '<rect width="100%" height="100%" rx="8"/>', *rows, "</svg>", ""]
    )


def _columns(line: str) -> int:
    return sum(2 if east_asian_width(character) in "WF" else 1 for character in line)
