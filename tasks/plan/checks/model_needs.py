"""What a model needs on the machine that asks it: the packages of its class, and what its server is made of."""

from typing import Any

from tasks.models.engines.serve_options import serve_options
from tasks.models.vendors.sdk_service import missing_package
from tasks.spec.findings import Finding, UserError
from tasks.spec.specs import ModelSpec


def model_needs(model: ModelSpec, model_class: Any) -> list[Finding]:
    """What is missing, with the command that brings it; `model_class` is None where it could not be imported."""
    findings: list[Finding] = []
    missing = missing_package(model_class) if model_class is not None else None
    if missing is not None:
        findings.append(Finding(f"model {model.abbr!r}: {missing.message}", model.place, missing.remedy, missing.kind))
    if model.serve is not None:
        try:
            serve_options(model)
        except UserError as error:
            findings += error.findings
    return findings
