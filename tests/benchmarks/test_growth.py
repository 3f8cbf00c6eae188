"""Memory grows with samples and pairs as the page on scaling says, measured between two sizes."""

import shutil
from collections.abc import Mapping

import pytest
from benchmarks.bench import Bench, open_bench
from benchmarks.mock_server import MockServer, mock_server
from benchmarks.scale import pairs, samples

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(shutil.which("gcc") is None, reason="the mock server needs gcc"),
]

FEW_SAMPLES, MANY_SAMPLES = 5_000, 30_000
FEW_PAIRS, MANY_PAIRS = 100, 600


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory):
    with open_bench(tmp_path_factory.mktemp("growth"), with_server=False) as bench:
        yield bench


@pytest.fixture(scope="module")
def server(bench: Bench):
    with mock_server(bench.mock_program, 0) as server:
        yield server


def test_memory_per_sample(bench: Bench, server: MockServer):
    few, many = (samples(bench, server, count) for count in (FEW_SAMPLES, MANY_SAMPLES))
    grown = kilobytes_per_unit(few, many, MANY_SAMPLES - FEW_SAMPLES)
    assert grown["infer, MB"] < 0.25
    assert grown["score, MB"] < 0.6
    assert grown["finished run again, MB"] < 0.25


def test_memory_per_pair(bench: Bench, server: MockServer):
    few, many = (pairs(bench, server, count) for count in (FEW_PAIRS, MANY_PAIRS))
    grown = kilobytes_per_unit(few, many, MANY_PAIRS - FEW_PAIRS)
    assert grown["run, MB"] < 50
    assert grown["finished run again, MB"] < 40


def kilobytes_per_unit(few: Mapping[str, float], many: Mapping[str, float], units: int) -> dict[str, float]:
    """What each figure in MB grew by, for each of so many more samples or pairs."""
    return {name: 1000 * (many[name] - few[name]) / units for name in many if name.endswith(", MB")}
