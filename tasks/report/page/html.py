"""The page as HTML: what comes from a run is text in it; only our script runs, and nothing reaches the network."""

import base64
import hashlib
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from tasks.report.libraries import report_extra
from tasks.report.page.content import PageContent

if TYPE_CHECKING:
    from jinja2 import Environment

_FOLDER = Path(__file__).parent


def page_html(content: PageContent, blocks: Iterable[bytes] | None) -> Iterator[str]:
    """The page in pieces. `blocks` are the samples' texts, taken one by one; None: the page fetches them.

    UserError if the template engine is not installed.
    """
    script, style = _read("report.js"), _read("report.css")
    template = _environment().get_template("report.html")
    encoded = (base64.b64encode(block).decode() for block in blocks) if blocks is not None else None
    return template.generate(
        content=content,
        blocks=encoded,
        script=script,
        style=style,
        policy=_policy(script, style, served=blocks is None),
        written=datetime.now().isoformat(sep=" ", timespec="seconds"),
    )


def _policy(script: str, style: str, *, served: bool) -> str:
    """Content-Security-Policy: our one script and style by their hashes, pictures inside the page, no network."""
    connect = "'self'" if served else "'none'"
    return (
        f"default-src 'none'; script-src '{_digest(script)}'; style-src '{_digest(style)}'; img-src data:; "
        f"connect-src {connect}; base-uri 'none'; form-action 'none'"
    )


def _digest(text: str) -> str:
    return f"sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}"


def _read(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _environment() -> "Environment":
    with report_extra():
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    return Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
