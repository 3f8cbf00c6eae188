"""What the page of a flow run shows of a run: where its files are, how to go on, and what failed. Knows no Prefect."""

import re
from pathlib import Path

from flows.run import Run
from tasks.report.layout import markdown
from tasks.report.summary import HEADER

_MOST_FAILURES = 100
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#!<>~&|])")


def run_page(run: Run) -> str:
    """Markdown."""
    root = run.folder.root.resolve()
    lines = [
        f"**Run folder**: {_link(root)}",
        f"**Logs**: {_link(root / 'logs')}, a file per task in `infer/` and `eval/`",
        *([f"**Report**: {', '.join(map(_link, _reports(run)))}"] if run.summary else []),
        f"**To go on**: `reuse` = `{run.folder.name}`, `work_dir` = `{run.plan.work_dir}`",
    ]
    scores = ["## Scores", markdown(run.summary.header, run.summary.lines, left=len(HEADER))] if run.summary else []
    failures = [f"## {len(run.failures)} without a score", _failures(run)] if run.failures else []
    return "\n\n".join([*lines, *scores, *failures]) + "\n"


def _reports(run: Run) -> list[Path]:
    assert run.summary is not None
    return [path.resolve() for path in (*run.summary.more, run.summary.paths.text)]


def _failures(run: Run) -> str:
    rows = [
        (pair.model, pair.dataset, _escaped(reason), str(run.folder.log(run.failed_in.get(pair, "infer"), pair)))
        for pair, reason in list(run.failures.items())[:_MOST_FAILURES]
    ]
    left = f"\n\nand {len(run.failures) - _MOST_FAILURES} more" if len(run.failures) > _MOST_FAILURES else ""
    return markdown(("model", "dataset", "why", "log"), rows, left=4) + left


def _escaped(text: str) -> str:
    """What a service has answered is no markup."""
    return _SPECIAL.sub(r"\\\1", text)


def _link(path: Path) -> str:
    return f"[{_escaped(str(path))}]({path.as_uri()})"
