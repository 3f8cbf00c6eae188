import sys
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.dataset_specs import dataset_spec, loaded, sums

from tasks.data.interface import PlannedRow
from tasks.data.rows import plan_rows, row_identities
from tasks.spec.findings import UserError
from tasks.spec.identity import row_digest


def test_the_range_comes_before_the_repeats() -> None:
    planned = plan_rows(dataset_spec(n=2, test_range="[3:5]"), loaded(sums(10)))
    assert list(planned) == [PlannedRow(0, 3, 0), PlannedRow(1, 4, 0), PlannedRow(2, 3, 1), PlannedRow(3, 4, 1)]


def test_the_limit_takes_the_first_rows_of_the_selection_before_the_repeats() -> None:
    planned = plan_rows(dataset_spec(n=2, test_range=5), loaded(sums(20)), limit=2)
    assert [(row.row, row.repeat) for row in planned] == [(4, 0), (9, 0), (4, 1), (9, 1)]


def test_a_limit_beyond_the_end_takes_all() -> None:
    assert len(plan_rows(dataset_spec(), loaded(sums(3)), limit=8)) == 3


@given(n=st.integers(1, 4), start=st.integers(0, 30), stop=st.integers(0, 30))
def test_any_cut_holds_the_same_planned_rows(n: int, start: int, stop: int) -> None:
    planned = plan_rows(dataset_spec(n=n, test_range="[1:7]"), loaded(sums(9)))
    assert list(planned[start:stop]) == list(planned)[start:stop]


def test_planned_rows_take_no_memory_of_their_own() -> None:
    planned = plan_rows(dataset_spec(n=1000, test_range="[::2]"), loaded(sums(1000)))
    assert len(planned) == 500_000
    assert planned[-1] == PlannedRow(499_999, 998, 999)
    assert isinstance(planned.selection, range) and sys.getsizeof(planned) < 200


def test_a_bad_range_is_named_with_its_place() -> None:
    with pytest.raises(UserError, match=r"sums\.reader_cfg\.test_range: cannot read the range 'first ten'"):
        plan_rows(dataset_spec(test_range="first ten"), loaded(sums(3)))


def test_a_range_that_selects_nothing_is_an_error() -> None:
    with pytest.raises(UserError, match=r"the range '\[100:200\]' selects none of the 3 rows"):
        plan_rows(dataset_spec(test_range="[100:200]"), loaded(sums(3)))


def test_equal_rows_are_told_apart_by_their_occurrence_in_the_whole_split() -> None:
    rows = [*sums(2), {"question": "1+1=?", "answer": "other"}, *sums(2)]
    identities = row_identities(dataset_spec(test_range="[3:]"), loaded(rows))
    assert [identity.occurrence for identity in identities] == [0, 0, 1, 2, 1]
    assert identities[0].digest == identities[2].digest == identities[3].digest == row_digest(rows[0], ("question",))
    assert identities[-1] == identities[4]
    assert [identity.occurrence for identity in identities[2:4]] == [1, 2]
    with pytest.raises(IndexError):
        identities[5]


def test_equal_rows_are_found_among_many() -> None:
    numbers = [*range(3000), *range(0, 3000, 7), 14]
    rows = [{"question": f"{number}", "answer": ""} for number in numbers]
    seen = Counter[int]()
    expected: list[int] = []
    for number in numbers:
        expected.append(seen[number])
        seen[number] += 1
    assert [identity.occurrence for identity in row_identities(dataset_spec(), loaded(rows))] == expected
    assert expected[-1] == 2
