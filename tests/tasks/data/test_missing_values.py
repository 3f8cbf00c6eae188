"""One rule for what is missing."""

import datetime
import decimal

import numpy as np
import pandas as pd
import pytest

from tasks.data.missing_values import is_blank, is_missing

MISSING = [None, float("nan"), np.float32("nan"), pd.NaT, pd.NA, np.datetime64("NaT"), decimal.Decimal("NaN")]


@pytest.mark.parametrize("value", MISSING, ids=str)
def test_missing(value: object) -> None:
    assert is_missing(value)
    assert is_blank(value)
    assert is_blank([value, ""])


@pytest.mark.parametrize(
    "value", ["", " ", "nan", "null", 0, 0.0, False, [], {}, [None], np.array([1.0]), datetime.date(2026, 1, 1), "A"]
)
def test_not_missing(value: object) -> None:
    assert not is_missing(value)


@pytest.mark.parametrize(
    ("value", "blank"),
    [("", True), (" \n\t\u3000", True), ([], True), (["", None], True), (["", "a"], False), (0, False), (False, False),
     ("nan", False), ({}, False), ({"answer": ""}, False)],
)  # fmt: skip
def test_blank(value: object, blank: bool) -> None:
    assert is_blank(value) is blank
