"""Checks arguments of a configuration against what a class or function takes."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from tasks.spec.findings import Finding, UserError, nearest


def check_arguments(function: Callable[..., Any], arguments: Mapping[str, Any], what: str) -> None:
    """Raises UserError unless `function(**arguments)` is a valid call; `what` names the function to the user."""
    signature = inspect.signature(function)
    findings = [*_unknown(signature, arguments, what), *_missing(signature, arguments, what)]
    if findings:
        raise UserError(findings)


def _unknown(signature: inspect.Signature, arguments: Mapping[str, Any], what: str) -> list[Finding]:
    parameters = signature.parameters
    if any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values()):
        return []
    names = [name for name, parameter in parameters.items() if parameter.kind in _BY_NAME]
    return [
        Finding(f"{what} takes no argument {name!r}", remedy=nearest(name, names) or "it takes no arguments")
        for name in arguments
        if name not in names
    ]


def _missing(signature: inspect.Signature, arguments: Mapping[str, Any], what: str) -> list[Finding]:
    return [
        Finding(f"{what} needs the argument {name!r}", remedy=f"add {name}=…")
        for name, parameter in signature.parameters.items()
        if parameter.kind in _BY_NAME and parameter.default is parameter.empty and name not in arguments
    ]


_BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
