"""Runs twenty dataset configurations of an installed OpenCompass from end to end. Not part of `make test`.

    uv pip install --no-deps --target /tmp/oc opencompass==0.5.3
    PYTHONPATH=.:tests:/tmp/oc python tests/integration/run_opencompass_configs.py

The data lie in `../shared/data`; a scripted server gives every question the same answer, so it is the way that is
tested, not the score. The exit status is 0 if every pair has one.
"""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from support.repository import ROOT
from support.scripted_server import ScriptedServer

CONFIGS = (
    *(
        "ARC_c/ARC_c_gen_1e0de5",
        "ARC_e/ARC_e_gen_1e0de5",
        "SuperGLUE_BoolQ/SuperGLUE_BoolQ_gen_883d50",
        "bbh/bbh_gen_5b92b0",
    ),
    *("cmmlu/cmmlu_gen_c13365", "strategyqa/strategyqa_gen_1180a7", "gsm8k/gsm8k_gen_1d7fe4"),
    *("gsm8k/gsm8k_0shot_gen_a58960", "TheoremQA/TheoremQA_5shot_gen_6f0af8", "hellaswag/hellaswag_gen_6faab5"),
    *("humaneval/humaneval_gen_8e312c", "lambada/lambada_gen_217e11", "math/math_0shot_gen_393424"),
    *("mbpp/mbpp_gen_830460", "mgsm/mgsm_gen_d967bc", "mmlu/mmlu_gen_4d595a", "mmlu_pro/mmlu_pro_0shot_cot_gen_08c1de"),
    *("piqa/piqa_gen_1194eb", "winogrande/winogrande_gen_458220", "IFEval/IFEval_gen_353ae7"),
)
SAMPLES = 2
_CONFIG = """\
from mmengine.config import read_base

with read_base():
    from opencompass.configs.datasets.{module} import *

datasets = sum((value for name, value in dict(locals()).items() if name.endswith('_datasets')), [])
models = [dict(type='OpenAISDK', abbr='m', path='m', key='EMPTY', openai_api_base={url!r}, batch_size=8, retry=1)]
work_dir = {work_dir!r}
"""


def run(name: str, url: str, folder: Path) -> str:
    """What is wrong with the run of a configuration; empty if every pair has a score."""
    config = folder / "config.py"
    config.write_text(_CONFIG.format(module=name.replace("/", "."), url=url, work_dir=str(folder / "outputs")))
    command = [sys.executable, "-P", "-m", "flows.eval", str(config), "--inline", "--limit", str(SAMPLES), "--json"]
    folders = [str(Path(part).resolve()) for part in os.environ.get("PYTHONPATH", "").split(os.pathsep) if part]
    places = {"COMPASS_DATA_CACHE": str(ROOT.parent / "shared"), "PYTHONPATH": os.pathsep.join(folders)}
    environ = {**os.environ, **places}
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    if done.returncode:
        return done.stderr.strip()[-600:] or done.stdout[-600:]
    pairs = json.loads(done.stdout)["pairs"]
    return "" if pairs and all(pair["metrics"] for pair in pairs) else "a pair has no score"


def main() -> int:
    failed = 0
    with ScriptedServer(answer=lambda _question: "The answer is A. \\boxed{A}") as server:
        for name in CONFIGS:
            with tempfile.TemporaryDirectory() as folder:
                wrong = run(name, server.url, Path(folder))
            failed += bool(wrong)
            sys.stdout.write(f"{name}: {wrong or 'scored'}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{len(CONFIGS) - failed} of {len(CONFIGS)} run\n")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
