"""Who is told how a run gets on."""

from pathlib import Path

from tasks.report.summary.summary import Summary
from tasks.spec.storage.run_folder import Pair


class Observer:
    """Told by the stages of a run, in whatever thread they are; this one does nothing with it.

    A run whose engine is lost goes through its stages again, so everything may be told twice.
    """

    def open(self) -> None:
        """Before anything is asked; UserError if it cannot work."""

    def begun_again(self) -> None:
        """The stages begin anew, by another engine: what failed so far did not fail for good."""

    def started(self) -> None:
        """The stages begin."""

    def failed(self, stage: str, pair: Pair, reason: str) -> None:
        """A pair has no predictions (`stage` is `infer`) or no score (`eval`)."""

    def left(self, pair: Pair, reason: str) -> None:
        """A pair is not finished because the run may spend no more."""

    def job_failed(self, name: str, reason: str, log: Path) -> None:
        """A job of a cluster failed and is not submitted again."""

    def stage_finished(self, stage: str, pairs: int) -> None:
        """`infer` or `eval` went through that many pairs."""

    def summarized(self, summary: Summary) -> None:
        """The summary is written."""

    def ended(self, error: BaseException | None) -> None:
        """The stages ended, by the error if there is one."""

    def close(self) -> None:
        """The run is over."""
