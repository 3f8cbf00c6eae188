"""Verdicts of judges, read where the protocol of each benchmark puts them."""

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
        ("Rating: [[6]] out of 10", 6),
        ("**Rating: [[8]]**", 8),
        ("Rating: [5]", 5),
        ("Short, but right.\n[9]", 9),
        ("评分：[[9]]", 9),
        ("<think>[[2]]</think>It is good. [[8]]", 8),
        ("Rating: [[4]]\n\nA better answer would be: Paris is the capital. Rating: [[10]]", 4),
        ("Rating: [[6]]\n\n[User]\nAnother question\n[Assistant]\nAn answer\n\nRating: [[9]]", 6),
        ("[[3]]\n[[10]]", 3),
        ("I was asked to close like this: [[6]]\nThe answer is wrong.\n[[2]]", 2),
        ('I must use the format "[[rating]]", for example: "Rating: [[5]]".\n\nRating: [[8]]', 8),
        ("Rating: [[7]]. I repeat: [[7]]", 7),
        ("The array is a[[i]].\n[[7]]", 7),
    ],
)
def test_the_first_rating_in_double_brackets_counts(text: str, rating: float) -> None:
    verdict = mtbench_postprocess.scale.read(text)
    assert verdict is not None and verdict.value == rating


@pytest.mark.parametrize(
    "text",
    [
        "The laptop has a rating of 7.8 in the review",
        "The user's rating of 5 is about the film, not about this answer.",
        "**Rating: 8**",
        "I give this a score of 4/10.",
        "My rating is: 5",
        "评分：9",
        "Rating: [[7]] or [[8]]",
        "Somewhere between [[6]] and [[7]].",
        "At first I thought [[3]], but it is right after all: [[9]]",
        "The scale has [[1]], [[2]], [[3]], [[4]], [[5]], [[6]], [[7]], [[8]], [[9]] and [[10]].",
        "Rating: [[7/10]]",
        "Rating: [[7-8]]",
        "Rating: [[7/10]]\n\nAn ideal answer: … Rating: [[10]]",
        "As source [3] says, the answer is right.",
        "Close like this: [[6]]",
        "<think>[[2]] is what I would say, but",
        "[[11]]",
        "[[11]]\n[[7]]",
        "[[0]]",
        "[[rating]]",
        "There are 3 reasons to like it.",
        "I would rather not.",
        "",
    ],
)
def test_where_the_protocol_has_no_rating_there_is_none(text: str) -> None:
    assert mtbench_postprocess.scale.read(text) is None


@pytest.mark.parametrize(
    ("text", "label"),
    [
        ("m", "m"),
        ("M", "M"),
        ("`M`", "M"),
        ("[[m]]", "m"),
        ("[M]", "M"),
        ("m\n\nIt is shorter and right.", "m"),
        ("Answer m is wrong about the date.\n\nM", "M"),
        ("Both are good; m is shorter.\n**M**", "M"),
        ("[[T]]", "T"),
        ("[[M]]. Again: [[M]]", "M"),
        ("The better one is m.", None),
        ("My verdict is M", None),
        ("[[m]] was my first thought. In the end: [[M]]", None),
        ("[[m]] or [[M]]", None),
        ("Reply with [[m]] or [[M]], or [[T]] for a tie.", None),
        ("m\n\nOn second thoughts:\nM", None),
        ("I'm not sure.", None),
        ("M is a letter, and so is m.", None),
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
        ("My final verdict is: [[A>B]]", 1.0, 1),
        ("My final verdict is tie: [[A=B]]", 0.5, 1),
        ("[[B>A]]", 0.0, 1),
        ("[[B>>A]]", 0.0, 3),
        ("Verdict: [B>>A]", 0.0, 3),
        ("[[A<<B]]", 0.0, 3),
        ("[[a>b]]", 1.0, 1),
        ("[[B=A]]", 0.5, 1),
        ("My verdict is [[A>B]].\nIn short: [[B<A]]", 1.0, 1),
    ],
)
def test_clear_wins_count_three_times(text: str, share: float, weight: float) -> None:
    verdict = arenahard_postprocess.scale.read(text)
    assert verdict is not None and (verdict.value, verdict.weight) == (share, weight)


@pytest.mark.parametrize(
    "text",
    [
        "Options: [[A>>B]], [[A>B]], [[A=B]], [[B>A]], [[B>>A]]",
        "[[A>B]] or perhaps [[A=B]]",
        "[[A>B]]\n\nLooking again, [[B>A]]",
        "[[A>B]] and [[A>>B]]",
        "Verdict: B>>A",
        "My final verdict is: A>B",
        "A>B",
        "[[A]]",
        "[[A<>B]]",
        "The loop ends when [i] is B.",
        "<think>[[A>B]]</think>I cannot say.",
        "",
    ],
)
def test_lists_contradictions_and_other_forms_are_no_preference(text: str) -> None:
    assert arenahard_postprocess.scale.read(text) is None


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
