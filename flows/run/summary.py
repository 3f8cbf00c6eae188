"""Writes the summary of a run, and its report if that is asked for."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from flows.run.run import Run
from tasks.plan.run_plan import RunPlan
from tasks.report.summarize import summarize
from tasks.report.summary.summary import Summary
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import Pair, RunFolder, timestamp


class RunToReport(NamedTuple):
    """Arguments of `write_report` and of `read_content`."""

    models: Sequence[ModelSpec]
    datasets: Sequence[DatasetSpec]
    folder: RunFolder
    summarizer: dict[str, Any] | None
    search_path: Sequence[str]
    pairs: list[Pair]


def report_of(plan: RunPlan, folder: RunFolder) -> RunToReport:
    """What the report of a plan's run is made of."""
    pairs = [pair.pair for pair in plan.pairs]
    return RunToReport(plan.models, plan.datasets, folder, plan.summarizer, plan.search_path, pairs)


def make_summary(run: Run) -> Summary:
    """Writes the summary files of the run as it stands, and its page if that is asked for."""
    plan, time = run.plan, timestamp()
    summary = summarize(
        plan.models,
        plan.datasets,
        run.folder,
        plan.summarizer,
        time=time,
        search_path=plan.search_path,
        pairs=[pair.pair for pair in plan.pairs],
    )
    if plan.request.analysis_repeat:
        summary = _with_repeats(run, summary, time)
    return _with_report(run, summary) if plan.request.report else summary


def _with_repeats(run: Run, summary: Summary, time: str) -> Summary:
    """The summary and, below it, which answers repeat themselves; all that was found goes to a file of its own."""
    from tasks.report.repetition.analysis import analyse_repeats, table_of, write_analysis

    tokenizers = {
        model.abbr: str(model.arguments.get("tokenizer_path") or model.arguments.get("path") or model.abbr)
        for model in run.plan.models
    }
    analysis = analyse_repeats(run.folder, [pair.pair for pair in run.plan.pairs], tokenizers)
    path = run.folder.summary / f"repeat_analysis_{time}.json"
    write_analysis(analysis, run.folder, path, time)
    return replace(summary, appendix=table_of(analysis), more=(*summary.more, path))


def _with_report(run: Run, summary: Summary) -> Summary:
    """A run without a page is spared the imports."""
    from tasks.report.page.page_file import write_report

    page = write_report(**report_of(run.plan, run.folder)._asdict())
    return replace(summary, more=(*summary.more, page))
