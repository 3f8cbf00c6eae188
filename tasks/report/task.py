"""The Prefect task that writes the summary and shows it on the run's page; never cached."""

from collections.abc import Callable

from prefect import get_run_logger, task
from prefect.artifacts import create_link_artifact, create_markdown_artifact, create_table_artifact
from prefect.cache_policies import NO_CACHE

from tasks.report.summary.summary import Summary


@task(name="summarize", task_run_name="summarize", cache_policy=NO_CACHE)
def summarize(make: Callable[[], Summary], key: str) -> Summary:
    """Writes the summary by calling `make`, and publishes table and link as artifacts named after `key`."""
    summary = make()
    create_table_artifact(summary.table, key=f"scores-{key}", description="Scores")
    page = next((path for path in summary.more if path.suffix == ".html"), summary.paths.markdown)
    create_link_artifact(page.resolve().as_uri(), "summary", key=f"report-{key}", description=str(page))
    create_markdown_artifact(summary.markdown, key=f"summary-{key}", description="Summary")
    get_run_logger().info("summary written to %s", summary.paths.markdown)
    return summary
