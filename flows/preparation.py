"""From a request to a plan that can run."""

from tasks.plan.planner import make_plan
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import RunPlan
from tasks.spec.findings import FindingKind, UserError


def prepare(request: RunRequest) -> RunPlan:
    """Plans the request; UserError with every finding that stands in the way of running it."""
    plan = make_plan(request)
    obstacles = [finding for finding in plan.findings if finding.kind is not FindingKind.WARNING]
    if obstacles:
        raise UserError(obstacles)
    return plan
