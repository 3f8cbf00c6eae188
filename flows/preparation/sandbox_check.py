"""Whether the programs that models write can be judged here, asked before anything is spent on them."""

from tasks.plan.run_plan import RunPlan
from tasks.score.components import NO_SANDBOX, NO_SANDBOX_REMEDY, EvaluatorFactory
from tasks.score.score_error import ScoreError
from tasks.spec.findings import Finding, FindingKind
from tasks.spec.specs import DatasetSpec


def code_execution_findings(plan: RunPlan) -> list[Finding]:
    """One finding if datasets need a sandbox and none works: about this machine, or a warning if that was allowed."""
    wanting = [dataset for dataset in plan.datasets if _runs_code(dataset, plan.search_path)]
    if not wanting or not plan.runs("eval"):
        return []
    from tasks.score.sandbox.runner import NoSandbox, find_sandbox

    try:
        find_sandbox()
    except NoSandbox as error:
        names = ", ".join(dataset.abbr for dataset in wanting)
        if plan.unsafe_code_execution:
            message = f"{names}: no sandbox works here ({error}); programs run with your own rights"
            return [Finding(message, kind=FindingKind.WARNING)]
        return [Finding(f"{names}: {NO_SANDBOX} ({error})", remedy=NO_SANDBOX_REMEDY, kind=FindingKind.MACHINE)]
    return []


def _runs_code(dataset: DatasetSpec, search_path: tuple[str, ...]) -> bool:
    try:
        return "code_runner" in EvaluatorFactory(dataset, "", search_path).score_parameters
    except (ScoreError, AttributeError, TypeError, ValueError):  # told by other checks, or when it is scored
        return False
