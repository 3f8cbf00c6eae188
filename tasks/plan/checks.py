"""What can be known to go wrong before anything is spent."""

from collections.abc import Sequence
from typing import Any

from tasks.plan.request import RunRequest
from tasks.plan.run_plan import PairPlan
from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.placing import place_in
from tasks.spec.type_loading import import_type


def check_request(request: RunRequest) -> None:
    """UserError for a request that contradicts itself or leaves out what it needs."""
    if request.mode in ("eval", "viz") and not request.reuse:
        raise UserError(
            Finding(
                f"mode {request.mode} reads the files of an earlier run",
                Place(key="--mode"),
                "add --reuse, or --reuse TIMESTAMP, to say which",
            )
        )
    named = [flag for flag, value in _named(request).items() if value]
    if request.config is not None and named:
        raise UserError(
            Finding(
                f"{' and '.join(named)} would have no effect beside a configuration file", Place(file=request.config)
            )
        )
    if request.config is None:
        missing = [flag for flag in ("--models", "--datasets") if not _named(request)[flag]]
        if missing:
            raise UserError(
                Finding(
                    "nothing says what to evaluate", remedy=f"give a configuration file, or {' and '.join(missing)}"
                )
            )


def check_pairs(pairs: Sequence[PairPlan], search_path: tuple[str, ...]) -> list[Finding]:
    """Pairs whose model cannot do what the dataset asks of it; one finding per model and dataset."""
    findings: list[Finding] = []
    for pair in pairs:
        inferencer: Any = import_type(pair.dataset.inferencer["type"], search_path)
        model: Any = import_type(pair.model.type, search_path)
        if inferencer.scores and not model.can_score:
            message = f"{pair.model.abbr} cannot compute the log-likelihoods that {pair.dataset.abbr} needs"
            findings.append(
                Finding(
                    message,
                    place_in(pair.dataset, "infer_cfg.inferencer"),
                    "use the dataset's `_gen` form with this model",
                )
            )
    return findings


def _named(request: RunRequest) -> dict[str, object]:
    return {"--models": request.models, "--datasets": request.datasets, "--summarizer": request.summarizer}
