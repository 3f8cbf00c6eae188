"""Which mathematical answers are equal, and which are not although they look alike."""

import json

import pytest
from support.shared_data import shared_data

from tasks.score.answers.latex import boxes
from tasks.score.evaluators.mathematics import MATHEvaluator, MATHVerifyEvaluator

_EQUAL = [
    ("18", "18"),
    (r"\frac{1}{2}", "0.5"),
    (r"\frac{1}{2}", "1/2"),
    (r"\frac{1}{2}", r"\boxed{\frac12}"),
    (r"\frac{1}{2}", r"Thus \[ \boxed{\dfrac{1}{2}} \]"),
    ("4", "**Answer:** 4."),
    (r"\text{Sunday}", r"\boxed{\text{Sunday}}"),
    ("Sunday", r"\boxed{\text{Sunday}}"),
    (r"\boxed{5}", "5"),
    ("1,000", "1000"),
    ("28", r"28\%"),
    (r"2\frac{1}{2}", "2.5"),
    ("5", "x=5"),
    (r"10\text{ cm}", "10"),
    ("12345678901234567890", "12345678901234567890.0"),
    ("3,5,7", r"\boxed{3}, \boxed{5} and \boxed{7}"),
    (r"\text{odd function}", "odd function"),
]
_DIFFERENT = [
    (r"\frac{1}{2006!}", r"\frac{1}{2004!}"),
    (r"\frac{1}{2}", r"\boxed{\frac{1}{3}}"),
    ("[1,2]", "[1,3]"),
    ("[1,2]", "(1,2)"),
    ("x=3", "y=3"),
    ("1,2", "12"),
    (r"0.\overline{3}", "0.3"),
    (r"\frac{1}{3}", "0.333333"),
    ("12345678901234567890", "12345678901234567891"),
    ("10^{-20}", "10^{-21}"),
    ("11_2", "11_3"),
    (r"5\text{ cm}", r"5\text{ km}"),
    (r"\text{Sunday}", r"\text{Monday}"),
    ("2 1/2", "21/2"),
    ("5", "-5"),
    ("5", r"Mark your solution with \boxed"),
    ("5", ""),
    ("0", ""),
]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_equal_by_form_or_value(version: str) -> None:
    evaluator = MATHEvaluator(version=version)  # pyright: ignore[reportArgumentType]
    golds, predictions = zip(*_EQUAL, strict=True)
    details = evaluator.score(predictions=predictions, references=golds)["details"]
    assert [pair for pair, detail in zip(_EQUAL, details, strict=True) if not detail["correct"]] == []


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_different_by_form_and_value(version: str) -> None:
    evaluator = MATHEvaluator(version=version)  # pyright: ignore[reportArgumentType]
    golds, predictions = zip(*_DIFFERENT, strict=True)
    details = evaluator.score(predictions=predictions, references=golds)["details"]
    assert [pair for pair, detail in zip(_DIFFERENT, details, strict=True) if detail["correct"]] == []


@pytest.mark.parametrize(
    ("gold", "answer"),
    [(r"(1,2)", r"x\in(1,2)"), (r"(-\infty,2)", "(-inf,2)"), ("3+4i", "3+4j"), ("3,5", "3 and 5"), ("2\\cdot3", "2*3")],
)
def test_version_2_is_looser(gold: str, answer: str) -> None:
    assert MATHEvaluator("v2").score([answer], [gold])["accuracy"] == 100.0
    assert MATHEvaluator("v1").score([answer], [gold])["accuracy"] == 0.0


def test_rules_are_told() -> None:
    details = MATHEvaluator().score([r"\boxed{5}", "The answer is 5.", "5", "So that is it."], ["5"] * 4)["details"]
    assert [detail["rule"] for detail in details] == ["box", "answer-is", "whole-text", "unparsed"]


@pytest.mark.parametrize("evaluator", [MATHEvaluator, MATHVerifyEvaluator])
def test_an_empty_reference_is_an_error(evaluator: type[MATHEvaluator]) -> None:
    with pytest.raises(ValueError, match="reference 1 is empty"):
        evaluator().score(["5", "5"], ["5", r"\boxed{}"])


_ALGEBRA = [
    ("x^2+2x+1", "(x+1)^2", True),
    (r"2\sqrt{3}", r"\sqrt{12}", True),
    ("1,2", "2,1", True),
    ("1<x<2", "(1,2)", True),
    (r"1.5 \times 10^3", "1500", True),
    (r"\frac{\pi}{2}", "1.570796", True),
    (r"\frac{\pi}{2}", "1.5", False),
    ("(1,2)", "(2,1)", False),
    (r"\left(-\infty,2\right)", r"(-\infty,3)", False),
    ("100!", "101!", False),
    (r"\begin{pmatrix}1\\2\end{pmatrix}", r"\begin{pmatrix}1\\3\end{pmatrix}", False),
]


def test_math_verify() -> None:
    cases = [*((gold, answer, True) for gold, answer in _EQUAL), *_ALGEBRA]
    cases += [(gold, answer, False) for gold, answer in _DIFFERENT]
    result = MATHVerifyEvaluator().score([answer for _, answer, _ in cases], [gold for gold, _, _ in cases])
    judged = [detail["correct"] for detail in result["details"]]
    assert [case for case, verdict in zip(cases, judged, strict=True) if verdict is not case[2]] == []


def test_math_verify_cannot_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tasks.score.evaluators.mathematics._SECONDS", 2.0)
    monkeypatch.setattr("tasks.score.parallel._IMPORT_SECONDS", 8.0)
    power = "9^{9^{9^{9^{9}}}}"
    result = MATHVerifyEvaluator().score([power, r"\sqrt{12}", "x" * 100_000], ["9^{9^{9^9}}", r"2\sqrt{3}", "5"])
    assert [detail["correct"] for detail in result["details"]] == [False, True, False]
    assert result["details"][0]["note"] in ("math-verify took too long", "math-verify ended its process")


@pytest.mark.parametrize(
    ("gold", "text"),
    [
        ("40", r"The final answer is $\$40$."),
        ("40", r"The final answer is $\$40$. I hope it is correct."),
        (r"\$18.90", r"The final answer is $\$18.90$."),
        ("3,5", r"The final answer is $\$3$ and $\$5$."),
        ("50", r"The answer is $50\%$."),
        ("11111111100", r"The answer is 11,\! 111,\! 111,\! 100"),
        (r"\frac{1}{3}", r"So \boxed{0.\overline{3}}."),
        (r"\frac{1}{6}", r"So \boxed{0.1\bar{6}}."),
        ("1500", r"So \boxed{1.5\times10^{3}}."),
        (r"5\sqrt{2}", r"So \boxed{5√2}."),
    ],
)
def test_what_needs_no_algebra_is_equal_by_form(gold: str, text: str) -> None:
    assert MATHEvaluator("v2").score([text], [gold])["accuracy"] == 100


@pytest.mark.parametrize("form", ["The final answer is ${}$.", r"So \boxed{{{}}}.", "The final answer is ${}$. Good."])
def test_every_reference_of_math_is_equal_to_itself(form: str) -> None:
    problems = json.loads(shared_data("math/math.json").read_text(encoding="utf-8")).values()
    golds = [boxes(problem["solution"])[-1].content for problem in problems]
    assert len(golds) == 5000
    assert MATHEvaluator("v2").score([form.format(gold) for gold in golds], golds)["accuracy"] == 100
