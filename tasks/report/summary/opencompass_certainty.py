"""How certain the scores of OpenCompass's results files are, which do not say it themselves."""

from typing import Any

from tasks.report.sample_values import NoSampleValues, read_values
from tasks.report.stats.interval import is_binary
from tasks.score.metrics.standard_error import clustered_standard_error
from tasks.spec.storage.run_folder import Pair, RunFolder


def told_by_details(folder: RunFolder, pair: Pair) -> dict[str, Any]:
    """`samples`, `stderr` and `shares` of the first metric that is a mean over samples; empty where there is none."""
    try:
        values = read_values(folder, pair)
    except (NoSampleValues, OSError, ValueError):
        return {}
    n, numbers = len(values.references), list(values.values.values())
    told: dict[str, Any] = {"samples": {"n": n, "counted": n}}
    error = clustered_standard_error(values.clusters, numbers)
    if error is not None:
        told["stderr"] = {values.metric: values.scale * error}
    if len(numbers) == len(values.rows) and is_binary(numbers):
        told["shares"] = {values.metric: values.scale}
    return told
