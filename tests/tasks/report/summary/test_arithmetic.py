"""Expressions of `transforms`."""

import pytest

from tasks.report.summary.arithmetic import evaluate_expression


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("x", 8.0),
        ("100 - x", 92.0),
        ("x * 100", 800.0),
        ("(x - 1) / 9 * 100", 77.77777777777779),
        ("-x ** 2", -64.0),
        ("x // 3 + x % 3", 4.0),
        ("max(x, 10)", 10.0),
        ("round(x / 3, 1)", 2.7),
        ("sqrt(2 * x)", 4.0),
    ],
)
def test_arithmetic(expression: str, value: float) -> None:
    assert evaluate_expression(expression, 8.0) == pytest.approx(value)


@pytest.mark.parametrize(
    "expression",
    ["__import__('os').system('true')", "x.real", "y", "lambda: x", "[x]", "'a'", "True", "x if x else 1", "open('f')",
     "max(x, key=x)", "x +", "", "x" * 201],
)  # fmt: skip
def test_nothing_else(expression: str) -> None:
    with pytest.raises(ValueError, match=r"allowed|expression"):
        evaluate_expression(expression, 1.0)


@pytest.mark.parametrize("expression", ["1 / x", "9 ** 9 ** 9", "log(x)", "sqrt(x - 1)", "max()", "sqrt(1, 2)"])
def test_no_value(expression: str) -> None:
    with pytest.raises(ValueError, match=r"no value|math domain"):
        evaluate_expression(expression, 0.0)


def test_deep_nesting_is_an_error_not_a_crash() -> None:
    with pytest.raises(ValueError, match="expression"):
        evaluate_expression("(" * 99 + "-" * 50 + "x" + ")" * 99 + ")", 0.0)
