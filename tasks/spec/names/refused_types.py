"""Inferencers of OpenCompass that are not built here, and what does their work."""

from tasks.spec.findings import Finding, Place, UserError

_OWN = "or write an inferencer of your own and name it by module and class"
_INSTEAD = {
    "ToTInferencer": f"use SCInferencer (several answers, the most frequent counts), {_OWN}",
    "AgentInferencer": f"use ChatInferencer, or a model class of your own that calls the tools, {_OWN}",
    "AttackInferencer": f"put the altered prompts into the dataset and use GenInferencer, {_OWN}",
    "GLMChoiceInferencer": f"use CLPInferencer, which compares the probabilities of the choices, {_OWN}",
}


def refuse_type(written: str, place: Place) -> None:
    """UserError for the short name, or OpenCompass's path, of one of them."""
    top, dot, _ = written.partition(".")
    instead = _INSTEAD.get(written.rpartition(".")[2])
    if instead and (not dot or top == "opencompass"):
        raise UserError(Finding(f"{written.rpartition('.')[2]} is not supported", place, instead))
