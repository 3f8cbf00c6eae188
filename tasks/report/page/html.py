"""The page as HTML: what comes from a run is text in it; only our script runs, and nothing reaches the network."""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tasks.report.optional_libraries import report_extra

if TYPE_CHECKING:
    from jinja2 import Environment

    from tasks.report.comparison.changed_verdicts import PairDiff
    from tasks.report.page.content import PageContent

_FOLDER = Path(__file__).parent


def page_html(content: "PageContent", blocks: Iterable[bytes] | None) -> Iterator[str]:
    """The page in pieces. `blocks` are the samples' texts, taken one by one; None: the page fetches them.

    UserError if the template engine is not installed.
    """
    encoded = (base64.b64encode(block).decode() for block in blocks) if blocks is not None else None
    connect = "'self'" if blocks is None else "'none'"
    return _rendered("report.html", _read("report.js"), connect, {"content": content, "blocks": encoded})


def diff_html(first: str, second: str, diffs: "Sequence[PairDiff]", most: int) -> Iterator[str]:
    """The page of a comparison in pieces; `most` are shown of the samples that flipped in one direction."""
    return _rendered("diff.html", "", "'none'", {"first": first, "second": second, "diffs": diffs, "most": most})


def _rendered(template: str, script: str, connect: str, values: Mapping[str, Any]) -> Iterator[str]:
    style = _read("report.css")
    return (
        _environment()
        .get_template(template)
        .generate(
            **values,
            script=script,
            style=style,
            policy=_policy(script, style, connect),
            written=datetime.now().isoformat(sep=" ", timespec="seconds"),
        )
    )


def _policy(script: str, style: str, connect: str) -> str:
    """Content-Security-Policy: our one script and style by their hashes, pictures inside the page; `connect` else."""
    scripts = f"'{_digest(script)}'" if script else "'none'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src '{_digest(style)}'; img-src data:; "
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
