"""Examples that share rare words with the question."""

from importlib import import_module
from typing import Any

from tasks.prompts.interface import Splits
from tasks.prompts.retrievers import BaseRetriever, check_size
from tasks.prompts.row_texts import input_text, require, words
from tasks.spec.specs import ReaderSpec


class BM25Retriever(BaseRetriever):
    """The train rows with the highest Okapi BM25 score, best first (Robertson and Zaragoza 2009)."""

    def __init__(self, ice_separator: str = "\n", ice_eos_token: str = "\n", ice_num: int = 1) -> None:
        """UserError if the package bm25s is missing."""
        super().__init__(ice_separator, ice_eos_token, ice_num)
        require(("bm25s",), "retrievers", "BM25Retriever")

    def bind(self, data: Splits, reader: ReaderSpec) -> None:
        check_size(self.ice_num, data, reader)
        bm25s: Any = import_module("bm25s")
        self._data, self._reader = data, reader
        self._index: Any = bm25s.BM25(method="robertson", k1=1.5, b=0.75)
        self._index.index([words(input_text(row, reader)) for row in data.train], show_progress=False)

    def examples_for(self, row_index: int) -> list[int]:
        known = self._index.vocab_dict
        query = [word for word in words(input_text(self._data.test[row_index], self._reader)) if word in known]
        if not query:
            return list(range(self.ice_num))
        scores = self._index.get_scores(query).tolist()
        return sorted(range(len(scores)), key=lambda index: (-scores[index], index))[: self.ice_num]
