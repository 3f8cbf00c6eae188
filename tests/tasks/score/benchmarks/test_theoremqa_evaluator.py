"""Short answers of TheoremQA, compared by their kind."""

import math

import pytest

from tasks.score.answers.decimal_value import decimal_value
from tasks.score.benchmarks.theoremqa import TheoremQA_postprocess_v3, TheoremQAEvaluatorV3
from tasks.score.interface import ExtractionStatus


def _score(answer: str, reference: str, kind: str) -> float:
    found = TheoremQA_postprocess_v3(answer)
    prediction = found.answer if found.status is ExtractionStatus.FOUND else ""
    return TheoremQAEvaluatorV3().score([prediction], [reference], [{"Answer_type": kind}])["score"]


@pytest.mark.parametrize(
    ("answer", "reference", "kind"),
    [
        ("So the answer is 11760.", "11760", "integer"),
        ("The answer is $x = 3$.", "3", "integer"),
        ("The answer is 11,760", "11760", "integer"),
        ("The answer is 1.40.", "1.42", "float"),
        (r"The answer is $\frac{\pi}{3}$", "1.0472", "float"),
        (r"It is \boxed{3.2 \times 10^{-5}}", "0.000032", "float"),
        ("The answer is False.", "False", "bool"),
        ("The answer is yes.", "True", "bool"),
        ("The answer is (b).", "'(b)'", "option"),
        ("The answer is B.", "'(b)'", "option"),
        ("The answer is [5, 0].", "[0, 5]", "list of integer"),
        (r"The answer is $\{0, 5\}$", "[0, 5]", "list of integer"),
        ("The answer is (1/3, 1/4).", "[0.333, 0.25]", "list of float"),
        ("the answer is True: because every bounded sequence has no divergent one", "True", "bool"),
        ("The answer is false, since it is not true for 0.", "False", "bool"),
        (r"Hence $\boxed{\text{True}}$", "True", "bool"),
        ("the answer is 0, as both terms cancel", "0", "integer"),
        ("the answer is that the firm hires 200 workers", "200", "integer"),
        ("the answer is 2041 meters", "2041", "integer"),
        ("The answer is 500 kbps.", "500", "integer"),
        ("The answer is (c) 18", "18", "integer"),
        ("The answer is (c) 18", "'(c)'", "option"),
        ("The answer is [1, 0, 1], where the last entry is the sign", "[1, 0, 1]", "list of integer"),
        (r"The answer is (d) $\theta^{-2}$", "'(d)'", "option"),
        (r"The answer is $5\sqrt{2}$ meters", "7.07", "float"),
        ("The answer is about 1.5e3 J", "1500.0", "float"),
        ("The answer is 3 or so: x = 3", "3", "integer"),
        ("The answer is option (b), the second one", "'(b)'", "option"),
        ("### Answer\n42", "42", "integer"),
    ],
)
def test_right(answer: str, reference: str, kind: str):
    assert _score(answer, reference, kind) == 100


@pytest.mark.parametrize(
    ("answer", "reference", "kind"),
    [
        ("The answer is 3.01.", "3", "integer"),
        ("The answer is 1.2.", "1.42", "float"),
        ("The answer is yes.", "False", "bool"),
        ("The answer is true or false.", "True", "bool"),
        ("The answer is (a).", "'(b)'", "option"),
        ("The answer is [0].", "[0, 5]", "list of integer"),
        ("The answer is [0, 6].", "[0, 5]", "list of integer"),
        ("The answer is 10:30", "10", "integer"),
        ("The answer is 3 or 4", "3", "integer"),
        ("The answer is beta", "'(b)'", "option"),
        ("The answer is 0.", "False", "bool"),
        ("The answer is 69.5", "70", "integer"),
        ("The answer is [1, 0], [0, 1]", "[1, 0, 1]", "list of integer"),
        ("I cannot tell.", "[0.333, 0.25]", "list of float"),
        ("", "3", "integer"),
    ],
)
def test_wrong(answer: str, reference: str, kind: str):
    assert _score(answer, reference, kind) == 0


def test_a_kind_of_answer_that_is_not_known():
    with pytest.raises(ValueError, match="'matrix' is not known; known are integer"):
        TheoremQAEvaluatorV3().score(["1"], ["1"], [{"Answer_type": "matrix"}])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0.5", 0.5), (r"\frac{\pi}{2}", math.pi / 2), (r"3.2\times10^{-5}", 3.2e-5), ("2*sqrt(3)", 2 * math.sqrt(3)),
        ("1e-4", 1e-4), (r"\sqrt{2}", math.sqrt(2)), ("1,234", 1234), (r"\frac12", 0.5), ("e^{-1}", math.exp(-1)),
        (r"2\pi", 2 * math.pi), ("-3/4", -0.75),
    ],
)  # fmt: skip
def test_the_value_of_an_expression(text: str, value: float):
    assert decimal_value(text) == pytest.approx(value)


@pytest.mark.parametrize(
    "text",
    ["", "x", "(1", "9**9**9", "10^{400}", "1/(0)", "sqrt(-1)", "__import__('os')", "1" * 500, "(" * 150, "[1, 2]"],
)
def test_what_is_no_number(text: str):
    assert decimal_value(text) is None


@pytest.mark.parametrize(
    ("answer", "reference", "kind", "right"),
    [
        ("69.5", "70", "integer", True),
        ("69.4", "70", "integer", False),
        ("0", "False", "bool", True),
        ("1", "True", "bool", True),
        ("False", "False", "bool", True),
        ("0", "True", "bool", False),
        ("1.40", "1.42", "float", True),
        ("[0.6, 5.4]", "[1, 5]", "list of integer", True),
        ("[0.4, 5]", "[1, 5]", "list of integer", False),
        ("(b)", "'(b)'", "option", True),
        ("no number", "70", "integer", False),
    ],
)
def test_the_rule_of_the_authors_is_a_second_score(answer: str, reference: str, kind: str, right: bool):
    result = TheoremQAEvaluatorV3().score([answer], [reference], [{"Answer_type": kind}])
    assert result["published_rule"] == 100 * right
    assert list(result) == ["score", "published_rule", "details"]


@pytest.mark.parametrize(
    ("answer", "reference", "kind"),
    [("69.5", "70", "integer"), ("0", "False", "bool"), ("[0.6, 5.4]", "[1, 5]", "list of integer")],
)
def test_the_main_score_stays_strict(answer: str, reference: str, kind: str):
    assert TheoremQAEvaluatorV3().score([answer], [reference], [{"Answer_type": kind}])["score"] == 0
