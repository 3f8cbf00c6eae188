"""What the states of PAI-DLC mean, whether its command line tool or its SDK tells them."""

from blocks.clusters.jobs import JobPhase, JobReport

_STOPPED_BY_USER = "StoppedByUser"


def dlc_report(status: str, code: str, message: str) -> JobReport:
    """`code` and `message` are DLC's reason; a job that its user stopped is not submitted again."""
    reason = ": ".join(text for text in (status, code, message) if text)
    match status:
        case "Succeeded":
            return JobReport(JobPhase.DONE)
        case "Stopped" if code == _STOPPED_BY_USER:
            return JobReport(JobPhase.CANCELLED, reason)
        case "Failed" | "Stopped":
            return JobReport(JobPhase.FAILED, reason)
        case "Running":
            return JobReport(JobPhase.RUNNING)
        case _:
            return JobReport(JobPhase.WAITING, reason)
