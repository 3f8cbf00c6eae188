"""The benchmarks themselves work; what they measure is no test."""

import shutil
from pathlib import Path

import pytest
from benchmarks import scenarios
from benchmarks.bench import Bench, open_bench
from benchmarks.document import missed, table, write
from benchmarks.mock_server import mock_server
from benchmarks.rows import HELP, PEAK_64, SPAN_64

pytestmark = pytest.mark.skipif(shutil.which("gcc") is None, reason="the mock server needs gcc")


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory):
    with open_bench(tmp_path_factory.mktemp("bench"), with_server=False) as bench:
        yield bench


def test_the_mock_server_answers_late_and_tells_what_it_saw(bench: Bench):
    with mock_server(bench.mock_program, latency_ms=50) as server:
        assert bench.bare_client(server.api, in_flight=8, requests=40) > 0
        seen = server.seen()
        assert (seen.requests, seen.peak) == (48, 8)
        assert seen.span >= 6 * 0.05
        assert server.seen().requests == 0


def test_a_scenario_measures_its_rows(bench: Bench):
    assert scenarios.usage_help(bench)[HELP] > 0


def test_generated_data_are_what_the_configurations_ask_for(bench: Bench):
    with mock_server(bench.mock_program, latency_ms=0) as server:
        config = bench.workspace.gsm8k(server.api, "few")
        assert "8/8 samples" in bench.compass(config, "--inline", "--limit", "8").output
        assert server.seen().requests == 8


def test_the_table_stands_between_the_marks_of_the_page(tmp_path: Path):
    page = tmp_path / "page.md"
    page.write_text("before\n<!-- measured: begin -->old<!-- measured: end -->\nafter\n")
    write(page, {HELP: [0.1, 0.14, 0.11]})
    text = page.read_text()
    assert text.startswith("before\n") and text.endswith("\nafter\n") and "old" not in text
    assert "0.11" in text and "0.1 to 0.14" in text and "≤ 0.15" in text and "Python 3" in text


def test_only_medians_beyond_the_budget_are_missed():
    measured = {HELP: [0.1, 0.9, 0.1], SPAN_64: [1.2, 1.0, 1.3], PEAK_64: [64.0, 63.0, 63.0]}
    assert missed(measured) == [SPAN_64, PEAK_64]
    assert "goal 1.05" in table(measured, "simple") and "= 64" in table(measured, "simple")
