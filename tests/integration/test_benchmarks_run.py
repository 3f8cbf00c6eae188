"""Five samples of every benchmark, from the packaged configuration to the score: right answers get full marks.

A benchmark is a row in `support/exam_benchmarks.py` or one of its neighbours.
"""

from pathlib import Path
from typing import Any

import pytest
from support.benchmark_runs import Benchmark, run_benchmark
from support.exam_benchmarks import EXAMS
from support.language_benchmarks import LANGUAGE
from support.long_context_benchmarks import LONG_CONTEXT

TABLE = (*EXAMS, *LANGUAGE, *LONG_CONTEXT)


@pytest.mark.parametrize("benchmark", TABLE, ids=lambda benchmark: benchmark.config)
def test_right_answers_get_full_marks_wrong_ones_none_and_junk_is_unparsed(
    benchmark: Benchmark, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    results = run_benchmark(benchmark, tmp_path, monkeypatch)
    assert [result[benchmark.metric] for result in results["right"]] == pytest.approx([100] * len(results["right"]))
    assert {result[benchmark.metric] for result in results["wrong"]} == {0}
    assert _unparsed(results["right"]) == 0
    for result in results.get("junk", ()):
        assert result[benchmark.metric] == 0
        assert not benchmark.unparsed or _unparsed([result]) == result["compass"]["samples"]["n"]


def _unparsed(results: list[dict[str, Any]]) -> int:
    return sum(result["compass"]["samples"]["unparsed"] for result in results)
