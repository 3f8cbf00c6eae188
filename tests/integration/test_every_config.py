"""Every packaged configuration can be planned: with its rows where the data lie, with unknown sizes elsewhere."""

import re
from pathlib import Path
from typing import Any

import pytest
from support.repository import ROOT

from tasks.plan.planner import make_plan
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import RunPlan
from tasks.spec.config.lookup import all_configs
from tasks.spec.findings import FindingKind

_SHARED = ROOT.parent / "shared"
DATASETS = sorted({file.stem for file in all_configs("datasets") if file.is_relative_to(ROOT / "configs")})
RUNS = [*sorted((ROOT / "configs/examples").glob("*.py")), ROOT / "configs/eval_demo.py"]
_LONG = re.compile(r"_(?:16|32|64|128|256|512|1000)k_")
"""Sets whose rows are made when they are loaded, too many words for a quick test."""


@pytest.fixture(autouse=True)
def _machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a network; with data where this machine has any."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("COMPASS_DATA_CACHE", str(_SHARED))


@pytest.mark.parametrize("name", DATASETS)
def test_a_dataset_configuration_is_planned(name: str):
    reads_text = name.endswith(("_ppl", "_ll", "_clp", "_mixed")) or name.startswith("base_")
    model = "hf_opt_125m" if reads_text else "openai_compatible"
    stages: dict[str, Any] = {"mode": "eval", "reuse": "latest"} if _LONG.search(name) else {}
    plan = make_plan(RunRequest(models=(model,), datasets=(name,), **stages))
    _check(plan)
    assert len(plan.pairs) == len(plan.datasets)


@pytest.mark.parametrize("path", RUNS, ids=lambda path: path.stem)
def test_a_configuration_of_a_whole_run_is_planned(path: Path):
    _check(make_plan(RunRequest(config=str(path))))


def _check(plan: RunPlan):
    """What this machine lacks is no fault of a configuration; a size is unknown only where the data are missing."""
    assert plan.pairs
    assert not [finding for finding in plan.findings if finding.kind is FindingKind.CONFIG]
    if plan.runs("infer"):
        unknown = [pair for pair in plan.pairs if pair.samples is None]
        lacking = [finding for finding in plan.findings if finding.kind is FindingKind.MACHINE]
        assert lacking or not unknown
