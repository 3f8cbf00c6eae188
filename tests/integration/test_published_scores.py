"""Flags that the authors of a benchmark published must come out again.

GSM8K (Cobbe et al. 2021): solutions of four models to all 1,319 test questions, each with the authors' verdict.
MMLU-Pro (Wang et al. 2024): outputs of two models with the letter that the authors read from each.
HumanEval and MBPP (Shinn et al. 2023): programs of three models, each with the authors' verdict.
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
from tasks.score.sandbox.program import Program, Verdict
from tasks.score.sandbox.runner import code_runner
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


_REFLEXION = "model_outputs/humaneval_mbpp_gpt4_reflexion"
_LEAKS = {
    # The authors ran all programs in one namespace, so these found a module or function that they do not define.
    "humaneval_gpt4_simple": [],
    "humaneval_gpt4_simple_logging": ["HumanEval/133"],
    "humaneval_text-davinci-003": ["HumanEval/133", "HumanEval/143", "HumanEval/150"],
    "humaneval_gpt-3.5-turbo_raw_chat": [],
    # And these, which are right, found a `sum` that another program had put in place of the built-in function.
    "mbpp_gpt4_simple": [
        "mbpp_67_bell_number", "mbpp_170_sum_range_list", "mbpp_798__sum", "mbpp_724_power_base_sum",
        "mbpp_419_round_and_sum", "mbpp_598_armstrong_number",
    ],
}  # fmt: skip
"""Where the flags of Shinn et al. 2023 (arXiv:2303.11366) differ from ours, and why."""


def _reflexion(name: str) -> list[dict[str, Any]]:
    path = shared_data(f"{_REFLEXION}/{name}")
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize("name", [name for name in _LEAKS if name.startswith("humaneval")])
def test_humaneval(tmp_path: Path, name: str) -> None:
    published = _reflexion(f"{name}.jsonl")
    dataset = DatasetSpec(
        abbr="humaneval",
        type="tasks.data.humaneval.HumanevalDataset",
        written_type="HumanevalDataset",
        arguments={"path": str(shared_data("humaneval/human-eval-v2-20210705.jsonl"))},
        reader=ReaderSpec(input_columns=("prompt",), output_column="task_id"),
        infer_cfg={},
        eval_cfg={
            "evaluator": {"type": "tasks.score.humaneval_evaluators.HumanEvalEvaluator"},
            "pred_postprocessor": {"type": "tasks.score.code_postprocessors.humaneval_postprocess_v2"},
        },
    )
    model, folder, pair = ModelSpec(abbr="m", type="x.X", written_type="X"), RunFolder(tmp_path), Pair("m", "humaneval")
    records = {str(index): {"prediction": row["solution"]} for index, row in enumerate(published)}
    write_json(folder.predictions(pair), records)
    score = score_pair(model, dataset, folder)
    details = read_json(folder.results(pair))["details"]
    assert [detail["answer"] for detail in details] == [[row["task_id"]] for row in published]
    differing = [
        row["task_id"]
        for row, detail in zip(published, details, strict=True)
        if detail["correct"] != [row["is_solved"]]
    ]
    assert differing == _LEAKS[name]
    solved = sum(row["is_solved"] for row in published) - len(differing)
    assert score.metrics["humaneval_pass@1"] == pytest.approx(100 * solved / 164)


@pytest.mark.slow
def test_mbpp() -> None:
    published = _reflexion("mbpp_gpt4_simple.jsonl.gz")
    outcomes = code_runner().run([Program((row["solution"],), (row["test"],)) for row in published])
    differing = [
        row["name"]
        for row, outcome in zip(published, outcomes, strict=True)
        if (outcome.verdict is Verdict.PASSED) != row["is_solved"]
    ]
    assert len(published) == 397
    assert differing == _LEAKS["mbpp_gpt4_simple"]
