"""Memory grows with samples and pairs as the page on scaling says, measured between two sizes."""

import shutil

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

    def kilobytes(figure: str) -> float:
        return 1000 * (many[figure] - few[figure]) / (MANY_SAMPLES - FEW_SAMPLES)

    assert kilobytes("infer, MB") < 0.25
    assert kilobytes("score, MB") < 0.6
    assert kilobytes("finished run again, MB") < 0.25


def test_memory_per_pair(bench: Bench, server: MockServer):
    few, many = (pairs(bench, server, count) for count in (FEW_PAIRS, MANY_PAIRS))

    def kilobytes(figure: str) -> float:
        return 1000 * (many[figure] - few[figure]) / (MANY_PAIRS - FEW_PAIRS)

    assert kilobytes("run, MB") < 50
    assert kilobytes("finished run again, MB") < 40
