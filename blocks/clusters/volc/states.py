"""What the states of Volcano Engine's platform mean, whether its command line tool or its SDK tells them."""

from blocks.clusters.jobs import JobPhase, JobReport

_FAILED = frozenset({"Failed", "Exception", "Killing", "Killed", "FailedHolding"})
_DONE = frozenset({"Success", "SuccessHolding"})


def volc_report(status: str, message: str = "") -> JobReport:
    """A job that its user cancelled is not submitted again; one that was killed, e.g. for a better-paid one, is."""
    reason = f"{status}: {message}" if message else status
    if status in _DONE:
        return JobReport(JobPhase.DONE)
    if status in _FAILED:
        return JobReport(JobPhase.FAILED, reason)
    if status == "Cancelled":
        return JobReport(JobPhase.CANCELLED, reason)
    return JobReport(JobPhase.RUNNING) if status == "Running" else JobReport(JobPhase.WAITING, reason)
