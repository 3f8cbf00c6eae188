"""Many writers at once: nothing is lost, nothing is there twice."""

import json
import os
import subprocess
import sys
from pathlib import Path

from sqlalchemy import func, select
from support.repository import ROOT

from blocks.station.connection import on_database
from blocks.station.opening import open_station
from blocks.station.schema import PAIRS, RUNS, SAMPLES, SCORES

WRITERS, SHARED, OWN = 8, 12, 4
_WRITE = f"""
import sys
from support.stations import result, save
from blocks.station.opening import open_station
address, number = sys.argv[1], sys.argv[2]
run = f"2026010{{number}}_000000"
shared = [result(dataset=f"shared{{each}}", run=run) for each in range({SHARED})]
own = [result(f"model{{number}}", f"own{{each}}", run=run) for each in range({OWN})]
fates = save(open_station(address), *(shared[::-1] if int(number) % 2 else shared), *own, samples=True)
print(*[saved.fate for saved in fates])
"""


def test_eight_writers_into_an_empty_station(address: str):
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")])}
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", _WRITE, address, str(number)], env=environment, stdout=subprocess.PIPE, text=True
        )
        for number in range(1, WRITERS + 1)
    ]
    fates = [writer.communicate(timeout=240)[0].split() for writer in writers]
    assert [writer.returncode for writer in writers] == [0] * WRITERS
    assert sum(each[:SHARED].count("saved") for each in fates) == SHARED
    assert all(each[SHARED:] == ["saved"] * OWN for each in fates)
    rows = open_station(address).table()
    names = [(row["model"], row["dataset"], row["metric"]) for row in rows]
    assert len(names) == len(set(names)) == 2 * (SHARED + WRITERS * OWN)
    if "://" in address:
        counted = on_database(address, _counts, write=False)
        pairs = SHARED + WRITERS * OWN
        assert counted == {"compass_runs": WRITERS, "compass_pairs": pairs, "compass_scores": 2 * pairs} | {
            "compass_samples": 4 * pairs
        }
    else:
        for path in Path(address).glob("*/*.json"):
            assert len(json.loads(path.read_bytes())["predictions"]) == 4


def _counts(connection) -> dict[str, int]:
    tables = (RUNS, PAIRS, SCORES, SAMPLES)
    return {table.name: connection.execute(select(func.count()).select_from(table)).scalar_one() for table in tables}
