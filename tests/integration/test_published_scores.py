"""What the authors of a benchmark published must come out again.

GSM8K (Cobbe et al. 2021): solutions of four models to all 1,319 test questions, each with the authors' verdict.
MMLU-Pro (Wang et al. 2024): outputs of two models with the letter that the authors read from each.
HumanEval and MBPP (Shinn et al. 2023): programs of three models, each with the authors' verdict.
LawBench (Fei et al. 2023): predictions of GPT-4 as OpenCompass stores them, with the scores of two tasks.
IFEval (Zhou et al. 2023): responses of GPT-4, with a verdict for each instruction of 540 prompts.
BIG-Bench Hard (Suzgun et al. 2022): outputs of code-davinci-002, with the score of each task.
TruthfulQA (Lin et al. 2021): answers of a model with the measures that lm-evaluation-harness gives each.
"""

import gzip
import json
import re
from collections.abc import Mapping
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest
from support.predictions import GSM8K_EVAL
from support.published import Records, evaluate, published_facts, published_rows, records_of
from support.shared_data import shared_data

from tasks.score.answers.mmlu_pro import mmlu_pro_postprocess
from tasks.score.answers.postprocessors import first_option_postprocess
from tasks.score.interface import ExtractionStatus
from tasks.score.sandbox.program import Program, Verdict
from tasks.score.sandbox.runner import code_runner
from tasks.score.scoring import score_pair
from tasks.spec.specs import DatasetSpec, ModelSpec, ReaderSpec
from tasks.spec.storage.run_folder import Pair, RunFolder, read_json, write_json


@pytest.fixture(scope="module")
def published() -> list[dict[str, Any]]:
    return published_rows("model_outputs/gsm8k_openai/example_model_solutions.jsonl.gz")


@pytest.mark.parametrize("name", ["6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification"])
def test_gsm8k(tmp_path: Path, published: list[dict[str, Any]], name: str) -> None:
    dataset = DatasetSpec(
        abbr="gsm8k",
        type="tasks.data.benchmarks.gsm8k.GSM8KDataset",
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
def test_mmlu_pro_outputs_are_read_as_options(name: str) -> None:
    """Where an output states one answer in the form the benchmark asks for, we read what its authors read."""
    rows = published_rows(f"model_outputs/mmlu_pro/{name}.jsonl.gz")
    plain = [row for row in rows if re.search(r"answer is \([A-J]\)(?! (?:and|or) \(|,)", row["output"])]
    plain = [row for row in plain if row["output"].count("answer is") == 1]
    assert len(plain) > 2000
    read = [first_option_postprocess(row["output"], "ABCDEFGHIJ").answer for row in plain]
    assert read == [row["pred"] for row in plain]


@pytest.mark.parametrize(
    ("name", "agree", "unparsed"), [("Llama-3.1-8B-Instruct", 2743, 265), ("Llama-2-7b", 3008, 508)]
)
def test_mmlu_pro(name: str, agree: int, unparsed: int) -> None:
    """Where no answer is stated, the authors store a guess for Llama-3.1 and nothing for Llama-2."""
    rows = published_rows(f"model_outputs/mmlu_pro/{name}.jsonl.gz")
    read = [mmlu_pro_postprocess(row["output"]) for row in rows]
    assert len(rows) == 3008
    assert sum(found.answer == row["pred"] for found, row in zip(read, rows, strict=True)) == agree
    assert sum(found.status is ExtractionStatus.UNPARSED for found in read) == unparsed


LAWBENCH = {
    "2-4": "lawbench-2-4-issue_topic_identification-0-shot",
    "2-6": "lawbench-2-6-named_entity_recognition-0-shot",
}


def test_lawbench(tmp_path: Path) -> None:
    """OpenCompass writes the authors' scores and rates of abstention as percentages."""
    predictions = {
        abbr: json.loads(gzip.decompress(shared_data(f"model_outputs/lawbench_gpt4/{task}.json.gz").read_bytes()))
        for task, abbr in LAWBENCH.items()
    }
    configs = {"lawbench.lawbench_zero_shot_gen": "lawbench_datasets"}
    results = evaluate(tmp_path, configs, {"gpt4": predictions})
    topics, entities = (results["gpt4", abbr] for abbr in LAWBENCH.values())
    assert topics["score"] / 100 == pytest.approx(0.44, rel=1e-12)
    assert topics["abstention_rate"] / 100 == pytest.approx(0.016, rel=1e-12)
    assert entities["score"] / 100 == pytest.approx(0.7659561748622943, rel=1e-12)


def test_ifeval(tmp_path: Path) -> None:
    rows = published_rows("ifeval/input_data.jsonl")
    responses = published_rows("model_outputs/ifeval/input_response_data_gpt4_20231107_145030.jsonl.gz")
    flags = {row["key"]: row for row in published_rows("model_outputs/ifeval/gpt4_flags.jsonl")}
    records = records_of([row["response"] for row in responses])
    result = evaluate(tmp_path, {"IFEval.IFEval_gen": "ifeval_datasets"}, {"gpt4": {"IFEval": records}})
    judged = {row["key"]: detail for row, detail in zip(rows, result["gpt4", "IFEval"]["details"], strict=True)}
    assert len(flags) == 540
    assert [row["prompt"] for row in rows if row["key"] in flags] == [
        response["prompt"] for row, response in zip(rows, responses, strict=True) if row["key"] in flags
    ]
    differing = {
        kind: {key for key, flag in flags.items() if all(judged[key][kind][0]) != all(flag[kind])}
        for kind in ("strict", "loose")
    }
    # Both prompts ask how often a character occurs, `#` and `!`; the published checks count a letter drawn at random in
    # place of anything but a to z. All other flags agree.
    assert differing == {"strict": {1122, 1129}, "loose": set()}
    assert [_shares(flags, kind) for kind in ("strict", "loose")] == [(76.85, 83.53), (79.81, 85.70)]
    assert _shares({key: {"loose": judged[key]["loose"][0]} for key in flags}, "loose") == (79.81, 85.70)


def _shares(flags: Mapping[int, Mapping[str, list[bool]]], kind: str) -> tuple[float, float]:
    """Percentages of prompts and of instructions that are followed."""
    lists = [flag[kind] for flag in flags.values()]
    return round(100 * fmean(map(all, lists)), 2), round(100 * fmean(flag for items in lists for flag in items), 2)


def _bbh_predictions(rows: list[dict[str, Any]]) -> dict[str, Records]:
    tasks: dict[str, list[str]] = {}
    for row in rows:
        assert row["idx"] == len(tasks.setdefault(row["task"], []))
        tasks[row["task"]].append(row["prediction"])
    return {f"bbh-{task}": records_of(predictions) for task, predictions in tasks.items()}


def _is_right_by_the_published_rule(row: dict[str, Any], way: str) -> bool:
    """The target is all of the text or, after reasoning, what stands behind `the answer is ` but for a full stop."""
    text = row["prediction"].strip()
    if way == "cot":
        text = row["prediction"].split("the answer is ")[-1].strip().removesuffix(".")
    return text == row["target"]


@pytest.mark.parametrize(("way", "mean"), [("cot", 73.71), ("direct", 52.76)])
def test_bbh(tmp_path: Path, way: str, mean: float) -> None:
    """Ours reads more forms of answers than the published rule, yet all 6,511 verdicts are those of that rule."""
    rows = published_rows(f"model_outputs/bbh_codex/code-davinci-002-{way}.jsonl.gz")
    results = evaluate(tmp_path, {"bbh.bbh_gen": "bbh_datasets"}, {way: _bbh_predictions(rows)})
    verdicts = {
        (task.removeprefix("bbh-"), index): detail["correct"][0]
        for (_, task), result in results.items()
        for index, detail in enumerate(result["details"])
    }
    assert verdicts == {(row["task"], row["idx"]): _is_right_by_the_published_rule(row, way) for row in rows}
    per_task = published_facts("model_outputs/bbh_codex")["published_score"][way]["per_task"]
    scores = {task: results[way, f"bbh-{task}"]["score"] for task in per_task}
    assert len(scores) == 27
    assert scores == pytest.approx(per_task, abs=0.0051)
    assert fmean(scores.values()) == pytest.approx(mean, abs=0.005)


def test_truthfulqa(tmp_path: Path) -> None:
    samples = published_rows("model_outputs/truthfulqa_gen_lmeval/samples.jsonl.gz")
    assert [sample["doc_id"] for sample in samples] == list(range(817))
    records = records_of([sample["response"] for sample in samples])
    configs = {"truthfulqa.truthfulqa_gen": "truthfulqa_datasets"}
    result = evaluate(tmp_path, configs, {"model": {"truthful_qa": records}})["model", "truthful_qa"]
    for name in samples[0].keys() - {"doc_id", "response"}:
        ours, theirs = ([detail[name][0] for detail in result["details"]], [sample[name] for sample in samples])
        assert ours == pytest.approx(theirs, abs=1e-3), name
        assert result[name] == pytest.approx(fmean(theirs) * (100 if name.endswith("_acc") else 1))


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
        type="tasks.data.benchmarks.humaneval.HumanevalDataset",
        written_type="HumanevalDataset",
        arguments={"path": str(shared_data("humaneval/human-eval-v2-20210705.jsonl"))},
        reader=ReaderSpec(input_columns=("prompt",), output_column="task_id"),
        infer_cfg={},
        eval_cfg={
            "evaluator": {"type": "tasks.score.benchmarks.humaneval.HumanEvalEvaluator"},
            "pred_postprocessor": {"type": "tasks.score.answers.code_postprocessors.humaneval_postprocess_v2"},
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
