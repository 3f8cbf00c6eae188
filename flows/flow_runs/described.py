"""Docstrings of flows from the texts of their options: Prefect shows them beside the parameters of its form."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

_Function = TypeVar("_Function", bound=Callable[..., Any])


def described(summary: str, options: Mapping[str, str]) -> Callable[[_Function], _Function]:
    """Gives a function a docstring with one line for each option, in Google's style."""

    def describe(function: _Function) -> _Function:
        lines = [f"    {name}: {text}." for name, text in options.items()]
        function.__doc__ = "\n".join([summary, "", "Args:", *lines])
        return function

    return describe
