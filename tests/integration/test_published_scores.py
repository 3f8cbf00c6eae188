"""Flags that the authors of a benchmark published must come out again.

GSM8K (Cobbe et al. 2021): solutions of four models to all 1,319 test questions, each with the authors' verdict.
MMLU-Pro (Wang et al. 2024): outputs of two models with the letter that the authors read from each.
"""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest
from support.predictions import GSM8K_EVAL
from support.shared_data import shared_data

from tasks.score.postprocessors import first_option_postprocess
from tasks.score.scoring import score_pair
from tasks.spec.run_folder import Pair, RunFolder, read_json, write_json
from tasks.spec.specs import DatasetSpec, ModelSpec, ReaderSpec


@pytest.fixture(scope="module")
def published() -> list[dict[str, Any]]:
    path = shared_data("model_outputs/gsm8k_openai/example_model_solutions.jsonl.gz")
    with gzip.open(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize("name", ["6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification"])
def test_gsm8k(tmp_path: Path, published: list[dict[str, Any]], name: str) -> None:
    dataset = DatasetSpec(
        abbr="gsm8k",
        type="tasks.data.gsm8k.GSM8KDataset",
        written_type="GSM8KDataset",
        arguments={"path": str(shared_data("gsm8k"))},
        reader=ReaderSpec(input_columns=("question",), output_column="answer"),
        infer_cfg={},
        eval_cfg=GSM8K_EVAL,
    )
    model, folder, pair = ModelSpec(abbr=name, type="x.X", written_type="X"), RunFolder(tmp_path), Pair(name, "gsm8k")
    records = {
        str(i): {"origin_prompt": row["question"], "prediction": row[name]["solution"]}
        for i, row in enumerate(published)
    }
    write_json(folder.predictions(pair), records)
    score = score_pair(model, dataset, folder)
    flags = [row[name]["is_correct"] for row in published]
    assert len(flags) == 1319
    assert [detail["correct"] for detail in read_json(folder.results(pair))["details"]] == [[flag] for flag in flags]
    assert score.metrics["accuracy"] == pytest.approx(100 * sum(flags) / len(flags))


@pytest.mark.parametrize("name", ["Llama-2-7b", "Llama-3.1-8B-Instruct"])
def test_mmlu_pro(name: str) -> None:
    """Where an output states one answer in the form the benchmark asks for, we read what its authors read."""
    with gzip.open(shared_data(f"model_outputs/mmlu_pro/{name}.jsonl.gz"), "rt", encoding="utf-8") as file:
        rows = [json.loads(line) for line in file]
    plain = [row for row in rows if re.search(r"answer is \([A-J]\)(?! (?:and|or) \(|,)", row["output"])]
    plain = [row for row in plain if row["output"].count("answer is") == 1]
    assert len(plain) > 2000
    read = [first_option_postprocess(row["output"], "ABCDEFGHIJ").answer for row in plain]
    assert read == [row["pred"] for row in plain]
