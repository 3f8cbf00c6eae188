"""Verdicts of judges, read from the end of what they say."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tasks.score.subjective.postprocessors import alpacaeval_postprocess, arenahard_postprocess, mtbench_postprocess


@pytest.mark.parametrize(
    ("text", "rating"),
    [
        ("A fair answer.\n\n[[7]]", 7),
        ("[[7.5]]", 7.5),
        ("[[ 8 ]]", 8),
        ("At first I thought [[3]], but it is right after all: [[9]]", 9),
        ("Rating: [[6]] out of 10", 6),
        ("**Rating: 8**", 8),
        ("I give this a score of 4/10.", 4),
        ("My rating is: 5", 5),
        ("评分：9", 9),
        ("<think>[[2]]</think>It is good. [[8]]", 8),
        ("<think>[[2]] is what I would say, but", None),
        ("[[11]]", None),
        ("[[0]]", None),
        ("There are 3 reasons to like it.", None),
        ("I would rather not.", None),
        ("", None),
    ],
)
def test_ratings(text: str, rating: float | None) -> None:
    verdict = mtbench_postprocess.scale.read(text)
    assert (verdict.value if verdict else None) == rating


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("m", "m"),
        ("M", "M"),
        ("`M`", "M"),
        ("[[m]]", "m"),
        ("Both are good; m is shorter.\nThe better answer: **M**", "M"),
        ("The better one is m.", None),
        ("My verdict is M", "M"),
        ("Answer m is wrong about the date.\n\nM", "M"),
        ("[[m]] was my first thought. In the end: [[M]]", "M"),
        ("[[T]]", "T"),
        ("I'm not sure.", None),
        ("<think>M</think>", None),
    ],
)
def test_preferences(text: str, label: str | None) -> None:
    verdict = alpacaeval_postprocess.scale.read(text)
    assert (verdict.label if verdict else None) == label


@pytest.mark.parametrize(
    ("text", "share", "weight"),
    [
        ("…\n\n[[A>>B]]", 1.0, 3),
        ("My final verdict is: A>B", 1.0, 1),
        ("My final verdict is tie: [[A=B]]", 0.5, 1),
        ("[[B>A]]", 0.0, 1),
        ("[[B>>A]]", 0.0, 3),
        ("Verdict: B>>A", 0.0, 3),
    ],
)
def test_clear_wins_count_three_times(text: str, share: float, weight: float) -> None:
    verdict = arenahard_postprocess.scale.read(text)
    assert verdict is not None and (verdict.value, verdict.weight) == (share, weight)


def test_a_postprocessor_takes_records_as_opencompass_hands_them() -> None:
    gold = {"answer1": "base", "answer2": "mine", "model": "mine"}
    records = {
        "0": {"prediction": "[[M]]", "gold": gold | {"sample": 0}},
        "1": {"prediction": "[[T]]", "gold": gold | {"sample": 1}},
        "2": {"prediction": "no idea", "gold": gold | {"sample": 2}},
    }
    assert alpacaeval_postprocess(records)["win_rate"] == 75.0
    with pytest.raises(ValueError, match="holds a verdict"):
        alpacaeval_postprocess({"0": {"prediction": "no idea", "gold": gold}})


_PIECES = st.sampled_from(
    ["[[", "]]", "[[7]]", "[[M]]", "[[A>>B]]", "rating", "Verdict:", "is", "m", "M", "B>A", "10", "0.5", "\n", " ",
     "**", "<think>", "</think>", "评分", "：", "\ud800", "٣", "T"]
)  # fmt: skip


@settings(max_examples=200, deadline=None)
@given(text=st.one_of(st.text(), st.lists(_PIECES, max_size=30).map("".join)))
def test_any_text_has_a_verdict_of_the_scale_or_none(text: str) -> None:
    for postprocessor in (mtbench_postprocess, alpacaeval_postprocess, arenahard_postprocess):
        verdict = postprocessor.scale.read(text)
        highest = 10 if postprocessor is mtbench_postprocess else 1
        assert verdict is None or (0 <= verdict.value <= highest and verdict.weight in (1, 3))
