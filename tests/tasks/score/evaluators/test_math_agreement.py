"""How far the evaluators of mathematics agree with people, over labelled pairs of answers."""

from pathlib import Path
from typing import NamedTuple

import pytest

from tasks.score.evaluators.mathematics import MATHEvaluator, MATHVerifyEvaluator

_PAIRS = Path(__file__).parents[3] / "data/math_pairs.tsv"


class Agreement(NamedTuple):
    """Pairs on which an evaluator says what people say, and those it calls equal against them."""

    agree: int
    wrongly_equal: int


def _pairs() -> list[tuple[str, str, bool]]:
    lines = [line for line in _PAIRS.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    return [(gold, answer, verdict == "1") for gold, answer, verdict in (line.split("\t") for line in lines)]


def _stated(answer: str) -> str:
    return answer if "answer is" in answer or answer.startswith("$") else rf"\boxed{{{answer}}}"


def _agreement(evaluator: MATHEvaluator | MATHVerifyEvaluator) -> Agreement:
    pairs = _pairs()
    result = evaluator.score([_stated(answer) for _, answer, _ in pairs], [gold for gold, _, _ in pairs])
    verdicts = [(detail["correct"], right) for detail, (*_, right) in zip(result["details"], pairs, strict=True)]
    return Agreement(sum(one == other for one, other in verdicts), sum(one and not other for one, other in verdicts))


def test_there_are_enough_pairs_of_both_verdicts() -> None:
    pairs = _pairs()
    assert len({(gold, answer) for gold, answer, _ in pairs}) == len(pairs) >= 300
    assert min(sum(right for *_, right in pairs), sum(not right for *_, right in pairs)) > 150


@pytest.mark.parametrize(("version", "least"), [("v1", 271), ("v2", 274)])
def test_agreement_by_form_and_value(version: str, least: int) -> None:
    found = _agreement(MATHEvaluator(version))  # pyright: ignore[reportArgumentType]
    assert found.agree >= least
    assert found.wrongly_equal == 0


@pytest.mark.slow
def test_agreement_with_algebra() -> None:
    found = _agreement(MATHVerifyEvaluator())
    assert found.agree >= 393
    assert found.wrongly_equal == 0
