"""The ppl configs on real rows with a real, tiny model: loaded, asked, compared, scored, summed up."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.shared_data import shared_data
from support.tiny_llama import make_tiny_llama, needs_torch

from tasks.spec.storage.run_folder import read_json, run_names

CONFIGS = {
    "winogrande_ppl": "winogrande",
    "hellaswag_ppl": "hellaswag",
    "piqa_ppl": "piqa",
    "ARC_c_ppl": "ARC-c",
    "ARC_e_ppl": "ARC-e",
    "obqa_ppl": "openbookqa",
    "commonsenseqa_ppl": "commonsense_qa",
    "SuperGLUE_BoolQ_ppl": "BoolQ",
    "SuperGLUE_COPA_ppl": "COPA",
    "SuperGLUE_WiC_ppl": "WiC",
    "SuperGLUE_WSC_ppl": "WSC",
    "CLUE_OCNLI_ppl": "ocnli",
    "winogrande_ll": "winogrande_ll",
}
ROWS = 10
ROOT = Path(__file__).parents[2]


@pytest.mark.serial
@pytest.mark.slow
def test_ten_rows_of_every_ppl_set(tmp_path: Path):
    needs_torch()
    data = shared_data().parent
    model = make_tiny_llama(tmp_path / "tiny")
    lines = ["from mmengine.config import read_base", "with read_base():"]
    folders = {"commonsenseqa_ppl": "commonsenseqa", "obqa_ppl": "obqa"}
    for name, abbr in CONFIGS.items():
        folder = folders.get(name, name.rpartition("_")[0])
        stem = abbr if name.startswith(("SuperGLUE", "CLUE")) else name.rpartition("_")[0]
        lines.append(f"    from opencompass.configs.datasets.{folder}.{name} import {stem}_datasets as {name}_datasets")
    lines += [
        "for entry in winogrande_ll_datasets:",
        "    entry['abbr'] = 'winogrande_ll'",
        f"datasets = {' + '.join(f'{name}_datasets' for name in CONFIGS)}",
        f"models = [dict(type='HuggingFaceBaseModel', abbr='tiny', path={str(model)!r}, batch_size=8)]",
        f"work_dir = {str(tmp_path / 'outputs')!r}",
    ]
    (tmp_path / "eval_ppl.py").write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-P", "-m", "flows.eval", "eval_ppl.py", "--inline", "--limit", str(ROWS)],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT), "COMPASS_DATA_CACHE": str(data), "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    run = tmp_path / "outputs" / run_names(tmp_path / "outputs")[-1]
    for name, abbr in CONFIGS.items():
        records = read_json(run / f"predictions/tiny/{abbr}.json")
        assert len(records) == ROWS, name
        for record in records.values():
            labels = {key.removeprefix("label: "): value for key, value in record.items() if key.startswith("label: ")}
            assert record["status"] in ("ok", "truncated") and record["prediction"] in labels
            assert all(value["tokens"] > 0 for value in labels.values())
        accuracy = read_json(run / f"results/tiny/{abbr}.json")["accuracy"]
        right = sum(str(record["prediction"]) == str(record["gold"]) for record in records.values())
        assert accuracy == pytest.approx(100 * right / ROWS)
