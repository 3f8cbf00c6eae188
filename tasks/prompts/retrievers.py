"""Which train rows serve as in-context examples."""

import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

from tasks.prompts.interface import Splits
from tasks.spec.findings import Finding, UserError
from tasks.spec.specs import ReaderSpec


class BaseRetriever(ABC):
    """Base of own retrievers: override `examples_for`, and `bind` if it needs the data."""

    def __init__(self, ice_separator: str = "\n", ice_eos_token: str = "\n", ice_num: int = 1) -> None:
        """Texts between and after examples that are texts; examples that are turns or messages need none."""
        self.ice_separator = ice_separator
        self.ice_eos_token = ice_eos_token
        self.ice_num = ice_num

    def bind(self, data: Splits, reader: ReaderSpec) -> None:
        """Called once before the first `examples_for`; UserError if the data do not fit the options."""

    @abstractmethod
    def examples_for(self, row_index: int) -> list[int]:
        """Indices of train rows for a row of the whole test split, in the order they are shown."""


class ZeroRetriever(BaseRetriever):
    """No examples."""

    def __init__(self, ice_eos_token: str = "") -> None:
        super().__init__(ice_eos_token=ice_eos_token, ice_num=0)

    def examples_for(self, row_index: int) -> list[int]:
        return []


class FixKRetriever(BaseRetriever):
    """The same train rows for every question."""

    def __init__(
        self, fix_id_list: Sequence[int], ice_separator: str = "\n", ice_eos_token: str = "\n", ice_num: int = 1
    ) -> None:
        """`ice_num` is accepted for compatibility: the list says how many."""
        super().__init__(ice_separator, ice_eos_token, ice_num)
        self.fix_id_list = list(fix_id_list)

    def bind(self, data: Splits, reader: ReaderSpec) -> None:
        size = len(data.train)
        wrong = [index for index in self.fix_id_list if not _is_index(index, size)]
        if wrong:
            raise UserError(
                Finding(
                    f"fix_id_list names {', '.join(map(repr, wrong))}, but the train split {reader.train_split!r} "
                    f"has {size} rows",
                    remedy=f"use indices from 0 to {size - 1}" if size else "choose a train_split that has rows",
                )
            )

    def examples_for(self, row_index: int) -> list[int]:
        return self.fix_id_list


class RandomRetriever(BaseRetriever):
    """Other train rows for every question; which, depends on the seed and the question's row alone."""

    def __init__(
        self, ice_separator: str = "\n", ice_eos_token: str = "\n", ice_num: int = 1, seed: int | None = 43
    ) -> None:
        super().__init__(ice_separator, ice_eos_token, ice_num)
        self.seed = seed
        self._train = 0

    def bind(self, data: Splits, reader: ReaderSpec) -> None:
        check_size(self.ice_num, data, reader)
        self._train = len(data.train)

    def examples_for(self, row_index: int) -> list[int]:
        return random.Random(f"{self.seed}:{row_index}").sample(range(self._train), self.ice_num)


class SlidingWindowRetriever(BaseRetriever):
    """The `k` rows before the question's own; before the first stand the last train rows."""

    def __init__(
        self, k: int = 1, ice_separator: str = "\n", ice_eos_token: str = "\n", ice_num: int | None = None
    ) -> None:
        """`ice_num` is accepted for compatibility: `k` says how many."""
        super().__init__(ice_separator, ice_eos_token, k)
        del ice_num
        self._train = 0

    def bind(self, data: Splits, reader: ReaderSpec) -> None:
        check_size(self.ice_num, data, reader)
        self._train = len(data.train)

    def examples_for(self, row_index: int) -> list[int]:
        return [(row_index - back) % self._train for back in range(self.ice_num, 0, -1)]


def check_size(examples: Any, data: Splits, reader: ReaderSpec) -> None:
    """UserError if the train split has fewer rows than are to be shown."""
    if not isinstance(examples, int) or not 0 < examples <= len(data.train):
        message = f"{examples!r} examples cannot be chosen from the {len(data.train)} rows of {reader.train_split!r}"
        raise UserError(Finding(message, remedy="choose another number of examples, or another train_split"))


def _is_index(index: object, size: int) -> bool:
    return isinstance(index, int) and 0 <= index < size
