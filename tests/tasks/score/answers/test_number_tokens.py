"""A number ends where its token ends: it is read whole, or not at all."""

import pytest

from tasks.score.answers.number_text import exact, only_value, values
from tasks.score.answers.postprocessors import gsm8k_postprocess
from tasks.score.answers.text_postprocessors import first_number_postprocess
from tasks.score.benchmarks.mgsm import mgsm_postprocess
from tasks.score.interface import ExtractionStatus

_WHOLE = [
    ("1e6", "1000000"),
    ("2.5E+06", "2500000"),
    ("1.5e3", "1500"),
    ("1e-3", "0.001"),
    ("3.0e0", "3"),
    ("1.5×10^3", "1500"),
    (r"1.5 \times 10^{-3}", "0.0015"),
    ("1.5*10**3", "1500"),
    ("5 × 10⁻³", "0.005"),
    ("10^6", "1000000"),
    ("1 000 000", "1000000"),
    ("1_000_000", "1000000"),
    ("7 000.5", "7000.5"),
    ("1,000,000.50", "1000000.5"),
    ("70k", "70000"),
    ("$1.5M", "1500000"),
    ("3 million", "3000000"),
    ("2 thousand", "2000"),
    ("3万", "30000"),
    ("3.7 万", "37000"),
    ("5亿", "500000000"),
    ("1亿2000万", "120000000"),
    ("3万5千", "35000"),
    ("5萬", "50000"),
    (r"2\frac{1}{2}", "5/2"),
    ("2 1/2", "5/2"),
    ("-$1,200.50", "-1200.5"),
    (r"\$40", "40"),
    ("25%", "25"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "number"), _WHOLE)
def test_a_number_is_read_whole(text: str, number: str) -> None:
    assert gsm8k_postprocess(f"#### {text}").answer == number
    assert gsm8k_postprocess(f"The answer is {text}.").answer == number
    assert gsm8k_postprocess(f"答案是{text}。").answer == number


_NONE = [
    "10:30", "12/05/2020", "1.234.567", "2020-05-12", "1.5.2", "1,23,456", "3rd", "10am", "2x", "x2", "H2O", "1e",
    "0x1F",
    "16/4/2", "2\\pi", "3π", r"2\sqrt{3}", "1.234,56", "18_{8}", "3千万万", "192.168.0.1",
]  # fmt: skip


@pytest.mark.parametrize("text", _NONE)
def test_no_part_of_another_token_is_a_number(text: str) -> None:
    assert only_value(text) is None
    assert gsm8k_postprocess(f"#### {text}").status is ExtractionStatus.UNPARSED
    assert gsm8k_postprocess(f"The answer is {text}").status is ExtractionStatus.UNPARSED
    assert gsm8k_postprocess(f"We meet at {text}").status is ExtractionStatus.UNPARSED
    assert first_number_postprocess(text).status is ExtractionStatus.UNPARSED


@pytest.mark.parametrize(
    "text", ["She has 5.\n#### 10:30", r"She has 5, so \boxed{x^2 + 3}", r"She has 5 or \boxed{10:30}"]
)
def test_what_is_stated_and_no_number_is_not_replaced_by_a_guess(text: str) -> None:
    assert gsm8k_postprocess(text).status is ExtractionStatus.UNPARSED


@pytest.mark.parametrize(
    ("text", "number"),
    [("5kg", "5"), ("60 km/h", "60"), ("18 dollars", "18"), ("18元", "18"), ("20 m^2", "20"),
     ("30cm2", "30"), ("50°C", "50"),
     ("5千米", "5"), ("2041 meters", "2041"), ("500 kbps", "500"), ("500kbps", "500")],
)  # fmt: skip
def test_a_unit_is_no_part_of_the_number(text: str, number: str) -> None:
    assert gsm8k_postprocess(f"The answer is {text}").answer == number


@pytest.mark.parametrize(
    ("text", "found"),
    [("5-3=2", ["5", "3", "2"]), ("1,2", ["1", "2"]), ("(3,4)", ["3", "4"]), ("是-5", ["-5"]), ("4×3", ["4", "3"]),
     ("a 10:30 train of 8 cars", ["8"]), ("x^2 + 3", ["3"]), ("USD18", ["18"]), ("3/0", ["3"])],
)  # fmt: skip
def test_numbers_in_a_text(text: str, found: list[str]) -> None:
    assert [value.text for value in values(text)] == found


@pytest.mark.parametrize(
    ("lang", "text"), [("de", "1.234.567"), ("es", "1.234.567"), ("fr", "1 234 567"), ("en", "1,234,567")]
)
def test_grouping_of_the_language(lang: str, text: str) -> None:
    assert mgsm_postprocess(rf"\boxed{{{text}}}", lang).answer == "1234567"


def test_numbers_with_an_exponent_compare_exactly() -> None:
    assert exact("1e-3") == exact("1/1000") == exact("0.001")
    assert exact("1e400") == 10**400
    assert exact("1e9999") is None
