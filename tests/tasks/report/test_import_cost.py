"""Scoring and summarising start fast: nothing heavy is imported for them."""

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
HEAVY = {"pandas", "numpy", "scipy", "torch", "datasets", "prefect", "openai", "pyarrow"}


def test_nothing_heavy_is_imported() -> None:
    modules = (
        "tasks.score.scoring, tasks.score.evaluators.exact, tasks.score.answers.postprocessors, tasks.report.summarize"
    )
    code = f"import sys, {modules}; print(*{{name.partition('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert not HEAVY & set(done.stdout.split())
