"""Which stages have their work done by jobs of a cluster."""

from typing import TYPE_CHECKING, Any

from tasks.plan.run_plan import StagePlan

if TYPE_CHECKING:
    from blocks.clusters.jobs import ClusterRunner


def cluster_runner(stage: StagePlan) -> "ClusterRunner | None":
    """The stage's runner, if its tasks are jobs of a cluster, or of a runner of the user's own."""
    runner: Any = stage.built_runner
    if callable(getattr(runner, "cluster", None)):
        return runner
    if not callable(getattr(runner, "launch", None)):
        return None
    from blocks.clusters.user_runner import LaunchRunner

    return LaunchRunner(runner)
