"""What a results file says of each sample, whoever wrote the file."""

from pathlib import Path
from typing import Any

import pytest

from tasks.report.sample_details import sample_details
from tasks.spec.storage.run_folder import write_json


@pytest.mark.parametrize(
    ("entry", "verdicts", "answers"),
    [
        ({"pred": ["4"], "answer": ["4"], "correct": [True]}, [True], ["4"]),
        ({"pred": ["4", "5"], "answer": ["4", "4"], "correct": [True, False]}, [True, False], ["4", "4"]),
        ({"pred": "4", "answer": "4", "is_correct": True}, [True], ["4"]),
        # One sample with several right answers: its verdict is one.
        ({"pred": ["4"], "answer": ["4"], "is_correct": True}, [True], [["4"]]),
        # Repeats that share what does not change.
        ({"pred": ["4", "5"], "answer": "4", "correct": [True, False]}, [True, False], ["4", "4"]),
        ({"pred": ["a", "b"], "answer": ["c", "d"]}, [None, None], ["c", "d"]),
    ],
)
def test_each_repeat_is_a_sample(tmp_path: Path, entry: dict[str, Any], verdicts: list[Any], answers: list[Any]):
    file = tmp_path / "results.json"
    write_json(file, {"accuracy": 50.0, "details": [entry]})
    samples = list(sample_details(file, "sums"))
    assert [sample.verdict for sample in samples] == verdicts
    assert [sample.fields["answer"] for sample in samples] == answers
    assert [sample.key for sample in samples] == [("sums_0", repeat) for repeat in range(len(verdicts))]
