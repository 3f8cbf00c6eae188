import os
import subprocess
import sys

import pytest

from tasks.infer.ledger.index import LedgerIndex

FULL = """
import resource, signal
from tasks.infer.ledger.index import LedgerIndex

signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
index = LedgerIndex()
try:
    for number in range(200_000):
        index.put(f"{number * 0x9E3779B97F4A7C15 % 2**128:032x}", number)
except OSError as error:
    print(number > 20_000, error.strerror, error.filename)
"""


def key(number: int) -> str:
    """Far apart for neighbours, as hashes are."""
    return f"{number * 0x9E3779B97F4A7C15F39CC0605CEDC835 % 2**128:032x}"


@pytest.mark.parametrize("count", [10, 150_000])
def test_the_last_place_of_each_key_is_found_in_memory_and_on_disk(count: int):
    index = LedgerIndex()
    for number in range(count):
        index.put(key(number), number)
    index.put(key(3) + "0" * 32, 2**62)
    assert len(index) == count
    assert index.get(key(3)) == 2**62 and index.get(key(count - 1)) == count - 1 and index.get(key(count)) is None
    index.close()


def test_a_full_disk_is_told():
    environ = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    result = subprocess.run([sys.executable, "-c", FULL], env=environ, capture_output=True, text=True, check=True)
    assert result.stdout.startswith("True ") and "temporary file of the ledger's index" in result.stdout
