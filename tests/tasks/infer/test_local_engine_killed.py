"""A run with a local engine that is killed loses only what is inside the engine."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from support.specs import dataset_spec, model_spec, shard_of, sums, write_rows

from tasks.infer.ledger.ledger import Ledger
from tasks.spec.storage.run_folder import Pair, RunFolder

ROWS, BATCH = 40, 4


@pytest.mark.serial
def test_a_killed_shard_keeps_all_answers_that_left_the_engine(tmp_path: Path):
    computed = tmp_path / "computed"
    model = model_spec(
        type="support.fake_engine.EchoBackend",
        arguments={"batch": BATCH, "delay": 0.1, "log": str(computed)},
        is_api=False,
    )
    dataset = dataset_spec(write_rows(tmp_path / "rows.jsonl", sums(ROWS)))
    folder = RunFolder(tmp_path / "run")
    shard = tmp_path / "shard.json"
    shard.write_text(shard_of(folder.root, model, dataset).model_dump_json(), encoding="utf-8")
    ledger = folder.ledger(Pair(model.abbr, dataset.abbr))

    first = _run(shard)
    while len(Ledger(ledger)) < 12 and first.poll() is None:
        time.sleep(0.05)
    os.kill(first.pid, signal.SIGKILL)
    first.wait()
    kept = len(Ledger(ledger))
    assert 12 <= kept < ROWS

    time.sleep(0.5)  # the supervisor ends the orphaned engine
    before = len(computed.read_text().splitlines())
    assert before - kept <= 2 * BATCH, "only what was inside the engine is lost"
    assert _run(shard).wait(60) == 0
    assert len(Ledger(ledger)) == ROWS
    assert len(computed.read_text().splitlines()) - before == ROWS - kept, "what was written down is not asked again"


def _run(shard: Path) -> "subprocess.Popen[bytes]":
    root = Path(__file__).parents[3]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(root / "tests")])}
    return subprocess.Popen([sys.executable, "-P", "-m", "tasks.infer", str(shard)], env=environment, cwd=shard.parent)
