"""One evaluation from Python, for notebooks and scripts:

from flows.evaluate import evaluate

evaluation = evaluate("my_eval.py", limit=8)
evaluation.table      # [{"dataset": "demo_gsm8k", "metric": "accuracy", …, "gpt-6-astra": "62.50"}]
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from flows.inline import run_inline
from flows.output.console import show_progress
from flows.output.log_setup import run_logs
from flows.preparation.prepare import prepare
from flows.run.run import Run, open_run
from tasks.plan.request import RunRequest
from tasks.spec.storage.run_folder import Pair


@dataclass(frozen=True)
class Evaluation:
    """What an evaluation came to."""

    folder: Path
    """The run folder, with predictions, results and summary."""
    table: list[dict[str, str]]
    """Rows of the summary by column; empty if the mode makes no summary."""
    failures: dict[Pair, str]
    """Model and dataset → why there is no score."""
    text: str
    """The summary for people."""


def evaluate(
    config: str | Path | None = None,
    *,
    models: Sequence[str] = (),
    datasets: Sequence[str] = (),
    progress: bool = True,
    **options: Any,
) -> Evaluation:
    """Runs a configuration, or named models on named datasets, on threads of this process and without Prefect.

    `options` are the other fields of `tasks.plan.request.RunRequest`: `mode`, `reuse`, `work_dir`, `limit`, ….
    Raises UserError for bad input; a pair that fails is told in `failures`.
    """
    source = str(config) if config is not None else None
    request = RunRequest(config=source, models=tuple(models), datasets=tuple(datasets), **options)
    plan = prepare(request)
    with (
        run_logs(plan.values, debug=plan.request.debug),
        open_run(plan) as run,
        show_progress(run.progress, enabled=progress),
    ):
        try:
            run_inline(run)
        except BaseException:
            run.interrupt()
            raise
    return _evaluation(run)


def _evaluation(run: Run) -> Evaluation:
    summary = run.summary
    return Evaluation(
        folder=run.folder.root,
        table=summary.table if summary else [],
        failures=dict(run.failures),
        text=summary.text if summary else "",
    )
