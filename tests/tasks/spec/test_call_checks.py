from typing import Any

import pytest

from tasks.spec.call_checks import check_arguments
from tasks.spec.findings import UserError


def load(path: str, split: str = "test") -> None: ...


def load_anything(**arguments: Any) -> None: ...


def test_valid_calls_pass() -> None:
    check_arguments(load, {"path": "x"}, "Loader")
    check_arguments(load, {"path": "x", "split": "dev"}, "Loader")
    check_arguments(load_anything, {"whatever": 1}, "Loader")


def test_an_unknown_argument_is_named_with_the_nearest_valid_one() -> None:
    with pytest.raises(UserError, match="(?s)Loader takes no argument 'spilt'.*did you mean 'split'"):
        check_arguments(load, {"path": "x", "spilt": "dev"}, "Loader")


def test_a_missing_argument_is_named() -> None:
    with pytest.raises(UserError, match="Loader needs the argument 'path'"):
        check_arguments(load, {}, "Loader")
