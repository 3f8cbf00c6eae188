"""What each of several jobs that run at once may ask of a model, so that together they keep its limits."""

from tasks.spec.shard import InFlight


def per_job(in_flight: InFlight, jobs: int) -> InFlight:
    """The share of one of `jobs` jobs: whole requests, at least one each, never more than the whole.

    `batch_size` holds per task and is not divided.
    """
    limit = in_flight.limit if in_flight.scope == "task" else max(1, in_flight.limit // jobs)
    return in_flight.model_copy(update={"limit": limit, "query_per_second": _rate(in_flight.query_per_second, jobs)})


def _rate(per_second: float | None, jobs: int) -> float | None:
    if per_second is None or jobs == 1:
        return per_second
    return min(per_second, max(1.0, per_second // jobs))
