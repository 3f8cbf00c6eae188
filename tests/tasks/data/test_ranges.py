import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.dataset_specs import sums

from tasks.data.ranges import SelectedRows, select_rows
from tasks.spec.findings import UserError

_bound = st.none() | st.integers(-30, 30)
_slices = st.lists(
    st.builds(slice, _bound, _bound, st.none() | st.integers(-4, 4).filter(bool)), min_size=1, max_size=3
)


def written(part: slice) -> str:
    start, stop, step = ("" if bound is None else str(bound) for bound in (part.start, part.stop, part.step))
    return f"[{start}:{stop}:{step}]" if step else f"[{start}:{stop}]"


@given(slices=_slices, size=st.integers(0, 40))
def test_slices_select_what_python_slices_select_one_after_the_other(slices: list[slice], size: int) -> None:
    expected = list(range(size))
    for part in slices:
        expected = expected[part]
    assert list(select_rows("".join(map(written, slices)), size)) == expected


@given(count=st.integers(-3, 60), size=st.integers(0, 40))
def test_a_number_takes_that_many_rows_of_a_shuffle_seeded_with_it(count: int, size: int) -> None:
    rows = list(range(size))
    if 0 < count < size:
        random.Random(count).shuffle(rows)
        rows = rows[:count]
    assert list(select_rows(count, size)) == rows


@given(fraction=st.floats(0, 1, exclude_min=True, exclude_max=True), size=st.integers(2, 500))
def test_a_fraction_takes_its_share_and_at_least_one_row(fraction: float, size: int) -> None:
    rows = select_rows(fraction, size)
    assert len(rows) == max(1, int(fraction * size))
    assert list(rows) == list(select_rows(len(rows), size))


def test_five_of_twenty_rows_are_those_opencompass_takes() -> None:
    assert list(select_rows(5, 20)) == [4, 9, 6, 5, 14]
    assert list(select_rows(0.25, 20)) == [4, 9, 6, 5, 14]


def test_no_range_and_an_empty_one_mean_all_rows() -> None:
    assert list(select_rows(None, 3)) == list(select_rows("", 3)) == [0, 1, 2]


def test_blanks_are_allowed() -> None:
    assert list(select_rows(" [ 1 : 7 ] [ : : 2 ] ", 20)) == [1, 3, 5]


@pytest.mark.parametrize("selector", ["[5]", "0:5", "[0:5", "[0:5]x", "[-:3]", "__import__('os')", "[a:b]", "[:][[0]]"])
def test_other_text_is_refused_not_run(selector: str) -> None:
    with pytest.raises(UserError, match="cannot read the range"):
        select_rows(selector, 20)


@pytest.mark.parametrize("selector", [1.0, 0.0, -0.5, 7.5, float("nan")])
def test_a_number_with_a_point_is_a_fraction(selector: float) -> None:
    with pytest.raises(UserError, match="not a fraction"):
        select_rows(selector, 20)


def test_a_step_of_zero_is_refused() -> None:
    with pytest.raises(UserError, match="step of 0"):
        select_rows("[::0]", 20)


def test_selected_rows_are_a_sequence() -> None:
    rows = SelectedRows(sums(5), [4, 0, 2])
    assert [row["answer"] for row in rows] == ["10", "2", "6"]
    assert rows[0]["answer"] == "10"
    assert [row["answer"] for row in rows[1:]] == ["2", "6"]
