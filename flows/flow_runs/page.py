"""What the page of a flow run shows of a run: where its files are, how to go on, and what failed. Knows no Prefect."""

import re

from flows.run.run import Run
from tasks.report.summary.layout import markdown
from tasks.report.summary.summary import HEADER
from tasks.spec.storage.run_folder import Pair

_MOST_FAILURES = 100
_SPECIAL = re.compile(r"([\\`*_{}\[\]()#!<>~&])")


def run_page(run: Run) -> str:
    """Markdown; without links, since pages drop those to files."""
    root = run.folder.root.resolve()
    lines = [
        f"**Run folder**: `{root}`",
        f"**In it**: {', '.join(f'`{name}`' for name in ('logs/', *_reports(run)))}",
        f"**To go on**: `reuse` = `{run.folder.name}`, `work_dir` = `{run.plan.work_dir}`",
    ]
    scores = ["## Scores", markdown(run.summary.header, run.summary.lines, left=len(HEADER))] if run.summary else []
    failures = [f"## {len(run.failures)} without a score", _failures(run)] if run.failures else []
    return "\n\n".join([*lines, *scores, *failures]) + "\n"


def _reports(run: Run) -> list[str]:
    """Names in the run folder."""
    paths = (*run.summary.more, run.summary.paths.text) if run.summary else ()
    return [str(path.relative_to(run.folder.root)) for path in paths if path.is_relative_to(run.folder.root)]


def _failures(run: Run) -> str:
    rows = [
        (pair.model, pair.dataset, _escaped(reason), _log(run, pair))
        for pair, reason in list(run.failures.items())[:_MOST_FAILURES]
    ]
    left = f"\n\nand {len(run.failures) - _MOST_FAILURES} more" if len(run.failures) > _MOST_FAILURES else ""
    return markdown(("model", "dataset", "why", "log"), rows, left=4) + left


def _log(run: Run, pair: Pair) -> str:
    path = run.folder.log(run.failed_in.get(pair, "infer"), pair)
    return _escaped(str(path.relative_to(run.folder.root)))


def _escaped(text: str) -> str:
    """What a service has answered is no markup."""
    return _SPECIAL.sub(r"\\\1", text)
