"""The data of MT-Bench, AlpacaEval and Arena-Hard as their configurations look for it, with made-up base models."""

import gzip
import json
from pathlib import Path
from typing import Any

from support.published import published_rows
from support.shared_data import shared_data

from tasks.spec.storage.run_folder import write_json

ALPACA = "model_outputs/alpaca_eval/alpaca-7b"
BASE_ANSWER = "What the base model says."


def alpaca_outputs() -> list[dict[str, Any]]:
    """What alpaca-7b answered: `instruction`, `dataset`, `output`."""
    return json.loads(gzip.decompress(shared_data(f"{ALPACA}/model_outputs.json.gz").read_bytes()))


def alpaca_preferences(name: str) -> dict[str, float]:
    """By instruction: from 1 (the base model is better) to 2; 0 for a draw."""
    return {row["instruction"]: row["preference"] for row in published_rows(f"{ALPACA}/{name}.jsonl.gz")}


def lay_out(cache: Path) -> None:
    """Puts the data below `cache`, as COMPASS_DATA_CACHE names it."""
    root = cache / "data" / "subjective"
    root.mkdir(parents=True)
    (root / "mtbench").symlink_to(shared_data("subjective/mtbench_raw"))
    questions = shared_data("subjective/arena_hard/arenahard.jsonl")
    answers = {str(number): {"prediction": BASE_ANSWER} for number in range(500)}
    write_json(root / "arena_hard" / "gpt4-0314" / "arenahard.json", answers)
    (root / "arena_hard" / "arenahard.jsonl").symlink_to(questions)
    base = [row | {"output": BASE_ANSWER, "generator": "text_davinci_003"} for row in alpaca_outputs()]
    write_json(root / "alpaca_eval" / "alpaca_eval.json", base)
    write_json(root / "alpaca_eval" / "alpaca_eval_gpt4_baseline.json", base)
