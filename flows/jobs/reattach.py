"""Jobs that an earlier process of the run left behind: which still run, and may do its work."""

import logging
from collections.abc import Iterable

from blocks.clusters.jobs import Cluster, SchedulerSilent
from flows.jobs.records import JobRecords, SubmittedJob

_log = logging.getLogger(__name__)


def jobs_of_earlier_process(cluster: Cluster, records: JobRecords) -> dict[str, SubmittedJob]:
    """Those whose end was not seen, by the key of their work; also those that the process died too early to note."""
    _note_unanswered(cluster, records)
    found: dict[str, SubmittedJob] = {}
    for job in records.open_jobs():
        if job.runner == records.runner:
            found[job.key] = job
        else:
            _log.warning("job %s of %s may still run; this run cannot ask for it", job.id, job.runner)
    return found


def _note_unanswered(cluster: Cluster, records: JobRecords) -> None:
    """Learns of jobs that the scheduler took while the process that submitted them died."""
    unanswered = records.unanswered()
    if not unanswered:
        return
    try:
        accepted = cluster.accepted({each.name: len(each.jobs) for each in unanswered})
    except SchedulerSilent as silent:
        _log.warning("jobs of an earlier process may be submitted twice: %s", silent)
        return
    for each in unanswered:
        records.submitted(each, accepted.get(each.name, ()))


def end_unwanted(cluster: Cluster, records: JobRecords, jobs: Iterable[SubmittedJob]) -> None:
    """Cancels jobs whose work is done, or cut otherwise now: two would ask for the same."""
    ids = [job.id for job in jobs]
    if ids:
        _log.info("%d jobs of an earlier plan are cancelled, where they still run", len(ids))
        cluster.cancel(ids)
        records.ended(ids, "no longer wanted")
