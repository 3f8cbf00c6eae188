"""What every engine does to summarise a run."""

from flows.run import Run
from tasks.report.summarize import summarize
from tasks.report.summary import Summary
from tasks.spec.run_folder import timestamp


def make_summary(run: Run) -> Summary:
    """Writes the summary files of the run as it stands."""
    plan = run.plan
    return summarize(
        plan.models,
        plan.datasets,
        run.folder,
        plan.summarizer,
        time=timestamp(),
        search_path=plan.search_path,
        pairs=[pair.pair for pair in plan.pairs],
    )
