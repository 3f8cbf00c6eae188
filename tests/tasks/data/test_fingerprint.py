from datetime import date
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tasks.data.fingerprint import fingerprints, rows_digest

_rows = st.lists(st.dictionaries(st.text(max_size=3), st.text() | st.integers() | st.lists(st.none())), max_size=4)


@given(rows=_rows, other=_rows)
def test_equal_content_has_one_fingerprint_and_different_content_another(rows: list[Any], other: list[Any]) -> None:
    assert (rows_digest(rows) == rows_digest(other)) == (rows == other)


def test_the_order_of_columns_does_not_count_and_that_of_rows_does() -> None:
    first, second = {"q": "1", "a": "2"}, {"q": "3", "a": "4"}
    assert rows_digest([first]) == rows_digest([{"a": "2", "q": "1"}])
    assert rows_digest([first, second]) != rows_digest([second, first])


def test_both_splits_count() -> None:
    one, two = [{"q": "1"}], [{"q": "2"}]
    assert len({fingerprints(*splits)[0] for splits in ((one, one), (one, two), (two, one), (two, two))}) == 4
    assert fingerprints(one, two)[1] == rows_digest(two)


def test_values_beyond_json_have_a_fingerprint_too() -> None:
    assert rows_digest([{"image": b"\x00\xff"}]) != rows_digest([{"image": b"\x00"}])
    assert rows_digest([{"day": date(2026, 1, 1)}]) != rows_digest([{"day": date(2026, 1, 2)}])
    assert rows_digest([{"q": "\ud83d"}]) != rows_digest([{"q": "\ud83e"}])
