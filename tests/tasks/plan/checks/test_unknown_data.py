"""A plan tells of rows that are not those of the benchmark, and is made all the same."""

from pathlib import Path

import pytest
from support.specs import write_rows

from tasks.plan.planner import make_plan
from tasks.plan.request import RunRequest
from tasks.spec.findings import FindingKind


def test_other_rows_are_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(tmp_path))
    for split in ("train", "test"):
        write_rows(tmp_path / "data/gsm8k" / f"{split}.jsonl", [{"question": "1 + 1?", "answer": "#### 2"}] * 3)
    plan = make_plan(RunRequest(models=("openai_compatible",), datasets=("gsm8k_gen",)))
    (warning,) = [finding for finding in plan.findings if "not the published data" in finding.message]
    assert warning.kind is FindingKind.WARNING
    assert "gsm8k has 3 rows in place of 1,319" in warning.message
    assert plan.pairs[0].samples == 3
