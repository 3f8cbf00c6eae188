"""Retrievers that choose other examples for each question."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from support.dataset_specs import loaded, sums
from support.tiny_llama import make_tiny_llama, needs_torch

from tasks.prompts.embedding_retrievers import DPPRetriever, EmbeddingRetriever, TopkRetriever, VotekRetriever
from tasks.prompts.mdl_retriever import MDLRetriever
from tasks.prompts.retrievers import BaseRetriever, RandomRetriever, SlidingWindowRetriever
from tasks.spec.findings import FindingKind, UserError
from tasks.spec.specs import ReaderSpec

READER = ReaderSpec(input_columns=("question",), output_column="answer")
PLACES = ["north", "north east", "east", "south", "south west"]


def bound(retriever: BaseRetriever, test: list[dict[str, Any]], train: list[dict[str, Any]]) -> Any:
    retriever.bind(loaded(test, train), READER)
    return retriever


def rows(*questions: str) -> list[dict[str, Any]]:
    return [{"question": question, "answer": "x"} for question in questions]


def test_random_examples_depend_on_seed_and_row_alone():
    first, again = (bound(RandomRetriever(ice_num=3, seed=7), sums(9), sums(20)) for _ in range(2))
    forwards = [first.examples_for(row) for row in range(9)]
    backwards = [again.examples_for(row) for row in reversed(range(9))]
    assert forwards == backwards[::-1]
    assert all(len(set(chosen)) == 3 for chosen in forwards) and len({tuple(chosen) for chosen in forwards}) > 1
    other = bound(RandomRetriever(ice_num=3, seed=8), sums(9), sums(20))
    assert [other.examples_for(row) for row in range(9)] != forwards


def test_the_window_slides_and_begins_with_the_last_train_rows():
    retriever = bound(SlidingWindowRetriever(k=3), sums(9), sums(9))
    assert [retriever.examples_for(row) for row in (0, 1, 5)] == [[6, 7, 8], [7, 8, 0], [2, 3, 4]]


@pytest.mark.parametrize("retriever", [RandomRetriever(ice_num=4), SlidingWindowRetriever(k=4)])
def test_more_examples_than_rows_are_refused(retriever: BaseRetriever):
    with pytest.raises(UserError, match="4 examples cannot be chosen from the 3 rows"):
        bound(retriever, sums(2), sums(3))


def test_bm25_prefers_rare_words():
    pytest.importorskip("bm25s")
    from tasks.prompts.bm25_retriever import BM25Retriever

    train = rows("the cat sat", "the dog ran", "the zebra stood", "the cat ran")
    retriever = bound(BM25Retriever(ice_num=2), rows("the zebra and the cat", "unheard words"), train)
    assert retriever.examples_for(0)[0] == 2 and set(retriever.examples_for(0)) <= {0, 2, 3}
    assert retriever.examples_for(1) == [0, 1]


def compass(texts: Sequence[str]) -> list[list[float]]:
    """An embedding by hand: how far north and east a text is."""
    return [
        [float("north" in text) - float("south" in text), float("east" in text) - float("west" in text)]
        for text in texts
    ]


def by_hand(retriever: EmbeddingRetriever, monkeypatch: pytest.MonkeyPatch) -> Any:
    pytest.importorskip("numpy")
    monkeypatch.setattr(retriever, "embed", compass)
    return bound(retriever, rows("north east", "south"), rows(*PLACES))


def test_the_nearest_embeddings_are_shown_best_first(monkeypatch: pytest.MonkeyPatch):
    retriever = by_hand(TopkRetriever(ice_num=3), monkeypatch)
    assert retriever.examples_for(0) == [1, 0, 2]
    assert retriever.examples_for(1)[0] == 3


def test_dpp_shows_near_rows_that_differ(monkeypatch: pytest.MonkeyPatch):
    pytest.importorskip("numpy")
    retriever = DPPRetriever(ice_num=2, scale_factor=10.0)
    monkeypatch.setattr(retriever, "embed", compass)
    bound(retriever, rows("north east"), rows("north east", "north east", "north", "south west"))
    chosen = retriever.examples_for(0)
    assert chosen[0] == 0 and 1 not in chosen, "a row that equals one shown already adds nothing"


def test_votek_shows_the_same_rows_that_many_are_like(monkeypatch: pytest.MonkeyPatch):
    retriever = by_hand(VotekRetriever(ice_num=2, votek_k=1), monkeypatch)
    assert retriever.examples_for(0) == retriever.examples_for(1)
    assert len(set(retriever.examples_for(0))) == 2 and retriever.examples_for(0)[0] == 1


def test_mdl_takes_the_set_that_explains_the_question_best(monkeypatch: pytest.MonkeyPatch):
    retriever = by_hand(MDLRetriever(ice_num=1, candidate_num=5, select_time=40), monkeypatch)
    monkeypatch.setattr(retriever, "surprise", lambda context, question: -float("west" in context))
    assert retriever.examples_for(0) == [4]


def test_mdl_measures_with_a_language_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    needs_torch()
    retriever = by_hand(MDLRetriever(ice_num=1, ce_model_name=str(make_tiny_llama(tmp_path))), monkeypatch)
    near, far = retriever.surprise("north east", "north east"), retriever.surprise("north east", "north east " * 3)
    assert 0 < near < far


def test_a_missing_package_is_named_with_its_install_line(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tasks.prompts.row_texts.find_spec", lambda name: None)
    retriever = bound(TopkRetriever(), rows("a"), rows("b"))
    with pytest.raises(UserError, match=r"pip install 'compass-llm-eval\[retrievers\]'") as caught:
        retriever.examples_for(0)
    assert caught.value.findings[0].kind is FindingKind.MACHINE
