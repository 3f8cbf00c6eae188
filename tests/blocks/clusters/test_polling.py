"""How often schedulers are asked."""

import pytest

from blocks.clusters.polling import Polling


@pytest.mark.parametrize("longest", [0.0, 1.0, 5.0, 60.0])
def test_questions_begin_at_seconds_and_become_rarer_up_to_the_interval(longest: float):
    polling = Polling(longest)
    pauses = [polling.pause() for _ in range(12)]
    assert pauses[0] == min(2.0, longest) and pauses == sorted(pauses) and pauses[-1] == longest


def test_new_jobs_make_them_frequent_again():
    polling = Polling(60.0)
    for _ in range(12):
        polling.pause()
    polling.begin()
    assert polling.pause() == 2.0
