"""The sums of a run are those of its pairs, whether they are open, settled or begun again."""

from tasks.infer.progress import Progress
from tasks.spec.status import Status
from tasks.spec.storage.run_folder import Pair

ONE, OTHER = Pair("model", "one"), Pair("model", "other")


def done(progress: Progress) -> tuple[int, int]:
    snapshot = progress.snapshot()
    return snapshot.counters.done, snapshot.total


def test_sums_of_open_and_settled_pairs():
    progress = Progress()
    progress.plan(ONE, 2)
    progress.plan(OTHER, 3)
    for pair in (ONE, OTHER):
        progress.begin(pair, "part").completed(Status.OK, reused=False)
    progress.settle(ONE)
    progress.settle(ONE)
    progress.begin(OTHER, "second").completed(Status.ERROR, reused=False)
    assert done(progress) == (3, 5)
    assert progress.snapshot().counters.errors == 1
    assert progress.snapshot(ONE).counters.done == progress.part(ONE, "part").done == 1


def test_a_settled_pair_that_is_begun_again_starts_over():
    progress = Progress()
    progress.plan(ONE, 2)
    progress.begin(ONE, "part").completed(Status.OK, reused=False)
    progress.begin(ONE, "second").completed(Status.OK, reused=False)
    progress.settle(ONE)
    progress.plan(ONE, 4)
    again = progress.begin(ONE, "part")
    assert done(progress) == (1, 4)
    again.completed(Status.OK, reused=False)
    progress.settle(ONE)
    assert done(progress) == (2, 4)
