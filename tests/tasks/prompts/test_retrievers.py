from typing import Any

import pytest
from support.dataset_specs import loaded, sums

from tasks.prompts.retrievers import BaseRetriever, FixKRetriever, ZeroRetriever
from tasks.spec.findings import UserError
from tasks.spec.specs import ReaderSpec

READER = ReaderSpec(input_columns=("question",))


def bound(retriever: BaseRetriever) -> BaseRetriever:
    retriever.bind(loaded(sums(2), sums(3)), READER)
    return retriever


def test_no_examples_and_nothing_in_their_place() -> None:
    retriever = bound(ZeroRetriever())
    assert retriever.examples_for(1) == [] and retriever.ice_eos_token == ""


def test_the_same_examples_for_every_row_in_the_order_given() -> None:
    retriever = bound(FixKRetriever([2, 0], ice_separator=" ", ice_eos_token=";", ice_num=2))
    assert retriever.examples_for(0) == retriever.examples_for(1) == [2, 0]
    assert (retriever.ice_separator, retriever.ice_eos_token) == (" ", ";")


@pytest.mark.parametrize("index", [3, -1, "0", 1.0])
def test_an_index_that_the_train_split_does_not_have_is_named(index: Any) -> None:
    with pytest.raises(
        UserError, match=rf"(?s)fix_id_list names {index!r}, but the train split 'train' has 3 rows.*0 to 2"
    ):
        bound(FixKRetriever([0, index]))
