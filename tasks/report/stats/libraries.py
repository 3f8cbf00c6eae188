"""Libraries that statistics need beyond the standard library, imported when they are needed."""

from importlib import import_module
from typing import Any

from tasks.spec.findings import Finding, UserError


def numerical(module: str) -> Any:
    """numpy or a part of scipy; UserError with the line that installs them."""
    try:
        return import_module(module)
    except ImportError as error:
        remedy = "pip install 'compass-llm-eval[report]'"
        raise UserError(Finding(f"this needs {module.partition('.')[0]}", remedy=remedy)) from error
