"""Datasets made from a file of the user's own."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest
from support.specs import write_rows

from tasks.data.loading import load_dataset
from tasks.plan.source.custom_dataset import expand_custom_datasets, make_dataset
from tasks.spec.build import build_datasets
from tasks.spec.findings import Place, UserError
from tasks.spec.values import ConfigDict, as_config

MCQ = [{"question": f"q{n}", "A": "one", "B": "two", "C": "three", "answer": "B"} for n in range(3)]
QA = [{"question": "2+2", "answer": "4"}]


def made(path: Path, **keys: Any) -> Any:
    return as_config(make_dataset(ConfigDict(path=str(path), **keys)), Place())


def test_options_make_a_choice(tmp_path: Path):
    entry = made(write_rows(tmp_path / "quiz.test.jsonl", MCQ))
    assert entry.abbr == "quiz"
    assert entry.reader_cfg == {"input_columns": ["question", "A", "B", "C"], "output_column": "answer"}
    assert entry.infer_cfg.prompt_template.template.round[0].prompt == "Question: {question}\nA. {A}\nB. {B}\nC. {C}"
    assert entry.eval_cfg.pred_postprocessor.options == "ABC"


def test_anything_else_is_a_question(tmp_path: Path):
    entry = made(write_rows(tmp_path / "sums.jsonl", QA), n=2, k=2, test_range="[0:1]")
    assert [turn.prompt for turn in entry.infer_cfg.prompt_template.template.round] == ["{question}", "{answer}"]
    assert entry.reader_cfg.test_range == "[0:1]" and entry.n == 2


def test_ppl_compares_one_text_per_option(tmp_path: Path):
    template = made(write_rows(tmp_path / "q.jsonl", MCQ), infer_method="ppl").infer_cfg.prompt_template.template
    assert list(template) == ["A", "B", "C"] and template.C.round[1].prompt == "Answer: C"


def test_the_entry_comes_before_the_description_and_that_before_the_rows(tmp_path: Path):
    path = write_rows(tmp_path / "quiz.jsonl", MCQ)
    path.with_name("quiz.jsonl.meta.json").write_text(json.dumps({"abbr": "m", "human_prompt": "{question}?"}))
    assert made(path).abbr == "m" and made(path, abbr="e").abbr == "e"
    assert made(path).infer_cfg.prompt_template.template.round[0].prompt == "{question}?"


@pytest.mark.parametrize(
    ("keys", "told"),
    [
        ({"data_type": "mqc"}, "did you mean 'mcq'"),
        ({"data_type": "qa", "infer_method": "ppl"}, "use infer_method 'gen'"),
        ({"data_type": "mcq", "options": []}, "quiz.jsonl: mcq data have their options in columns A, B"),
        ({"optons": "AB"}, "did you mean 'options'"),
        ({"meta_path": "nowhere.json"}, "cannot be read"),
    ],
)
def test_mistakes_are_named(tmp_path: Path, keys: dict[str, Any], told: str):
    with pytest.raises(UserError, match=told):
        made(write_rows(tmp_path / "quiz.jsonl", MCQ), **keys)


@pytest.mark.parametrize("suffix", ["jsonl", "csv", "parquet"])
def test_every_kind_of_file_loads_to_the_same_rows(tmp_path: Path, suffix: str):
    path = tmp_path / f"quiz.{suffix}"
    if suffix == "jsonl":
        write_rows(path, MCQ)
    elif suffix == "csv":
        with path.open("w", newline="") as file:
            writer = csv.DictWriter(file, list(MCQ[0]))
            writer.writeheader()
            writer.writerows(MCQ)
    else:
        pa = pytest.importorskip("pyarrow")
        pa.parquet = pytest.importorskip("pyarrow.parquet")
        pa.parquet.write_table(pa.Table.from_pylist(MCQ), path)
    [spec], findings = build_datasets(as_config({"datasets": [made(path)]}, Place()))
    assert findings == [] and list(load_dataset(spec).test) == MCQ


def test_entries_without_a_type_are_completed_in_combinations_too(tmp_path: Path):
    entry = {"path": str(write_rows(tmp_path / "quiz.jsonl", MCQ))}
    config = {
        "datasets": [entry],
        "model_dataset_combinations": [{"models": ["m"], "datasets": [entry]}],
    }
    values = expand_custom_datasets(as_config(config, Place()))
    assert values.datasets[0]["abbr"] == "quiz"
    assert values.model_dataset_combinations[0].datasets[0]["abbr"] == "quiz"


def test_a_choice_in_all_orders_of_its_options(tmp_path: Path):
    entry = made(write_rows(tmp_path / "quiz.jsonl", MCQ), data_type="circular-mcq")
    [spec], findings = build_datasets(ConfigDict(datasets=[entry]))
    assert not findings and len(load_dataset(spec).test) == 9
    assert spec.eval_cfg["evaluator"]["type"].endswith("CircularEvaluator")
    assert spec.eval_cfg["pred_postprocessor"]["options"] == "ABC"
