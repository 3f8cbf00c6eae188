"""Notes and errors of many samples, told once for each kind."""

import pytest

from tasks.score.metrics.grouped_texts import GroupedTexts


def _told(*texts: str) -> dict[str, int]:
    grouped = GroupedTexts()
    for text in texts:
        grouped.add(text)
    assert grouped.total() == len(texts)
    return grouped.most_common(5)


def test_one_text_keeps_its_numbers():
    assert _told("it read 12 tokens, 900 were sent") == {"it read 12 tokens, 900 were sent": 1}


def test_many_show_the_range_of_each_number():
    told = _told("it read 12 of 900", "it read 480 of 900", "it read 9 of 900")
    assert told == {"it read 9–480 of 900": 3}


@pytest.mark.parametrize(
    "text",
    ["the answer broke off (127.0.0.1:8000)", "gpt-5-mini said no", "status 503", "took 0.25 s", "v1.2.3", "no number"],
)
def test_what_is_the_same_everywhere_stays_readable(text: str):
    assert _told(text, text) == {text: 2}


def test_numbers_are_compared_as_numbers():
    assert _told("took 9.5 s", "took 10.25 s") == {"took 9.5–10.25 s": 2}


def test_other_addresses_are_other_kinds():
    assert len(_told("cannot connect to 10.0.0.1", "cannot connect to 10.0.0.2")) == 2


def test_ids_of_requests_make_no_kinds():
    told = _told("failed (request req_011CTabcdef0123456)", "failed (request req_022DTabcdef6543210)")
    assert list(told.values()) == [2] and "req_011CTabcdef0123456" in next(iter(told))


def test_any_text_is_counted():
    assert _told("\0", "9" * 5000, "٣ of ٤", "") == {"": 2, "9" * 5000: 1, "٣ of ٤": 1}
