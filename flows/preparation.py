"""From a request to a plan that can run."""

from tasks.plan.planner import make_plan
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import RunPlan
from tasks.spec.findings import Finding, FindingKind, UserError


def prepare(request: RunRequest) -> RunPlan:
    """Plans the request; UserError with every finding that stands in the way of running it."""
    plan = make_plan(request)
    obstacles = [finding for finding in plan.findings if _stands_in_the_way(finding, request)]
    if obstacles:
        raise UserError(obstacles)
    return plan


def _stands_in_the_way(finding: Finding, request: RunRequest) -> bool:
    """What the machine lacks is no obstacle where nothing is asked: a summary needs no key."""
    if finding.kind is FindingKind.MACHINE and request.mode in ("eval", "viz"):
        of_model = (finding.place.key or "").startswith("models")
        return request.mode == "eval" and not of_model
    return finding.kind is not FindingKind.WARNING
