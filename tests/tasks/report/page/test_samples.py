"""Which samples the page holds, and what it tells of each."""

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from support.scored_runs import ScoredRun, scored_run, without_seal

from tasks.report.page import sample_blocks as blocks_module
from tasks.report.page.columns import PairColumns, read_columns
from tasks.report.page.content import read_content
from tasks.report.page.sample import LONGEST
from tasks.report.page.sample_blocks import all_blocks, choose_samples
from tasks.spec.storage.run_folder import Pair, write_json


def columns_of(run: ScoredRun, repeats: int = 1) -> list[PairColumns]:
    pairs = [Pair(model.abbr, dataset.abbr) for model in run.models for dataset in run.datasets]
    return [read_columns(run.folder, pair, repeats) for pair in pairs]


def shown(run: ScoredRun, repeats: int = 1, most: int | None = None) -> list[dict[str, Any]]:
    blocks = all_blocks(choose_samples(columns_of(run, repeats), most), run.folder)
    return [sample for block in blocks for sample in json.loads(gzip.decompress(block))]


def test_a_sample_tells_prompt_answer_reference_rule_and_what_it_took(tmp_path: Path):
    record = {"prediction": "0", "reasoning": "thought", "note": "odd", "finish_reason": "stop", "extra": {"a": 1}}
    [sample, _] = shown(scored_run(tmp_path, {"m": lambda n: record if n == 0 else "x"}, {"d": ["0", "1"]}))
    assert sample["prompt"] == [["HUMAN", "Question 0?"]] and sample["name"] == "d_0"
    assert sample["prediction"] == sample["answer"] == sample["reference"] == "0"
    assert sample["reasoning"] == "thought" and sample["note"] == "odd" and sample["finish"] == "stop"
    assert sample["tokens"]["completion_tokens"] == 3 and sample["more"] == {"extra": '{\n  "a": 1\n}'}


def test_long_texts_are_cut_and_surrogates_survive(tmp_path: Path):
    answers = {"m": lambda n: "x" * (LONGEST + 5) if n else "bad \udcff"}
    short, long = shown(scored_run(tmp_path, answers, {"d": ["0", "1"]}))
    assert short["prediction"] == "bad \udcff"
    assert long["prediction"].startswith("x" * LONGEST + "… (20,005 characters")


def test_verdicts_and_statuses_are_known_before_a_text_is_read(tmp_path: Path):
    answers = {"m": lambda n: [{"prediction": None, "status": "error", "error": "gone"}, "1", "0"][n]}
    [columns] = columns_of(scored_run(tmp_path, answers, {"d": ["0", "1", "2"]}))
    assert columns.codes(range(3)) == {"status": "xoo", "verdict": "-rw", "found": "nnn"}
    assert columns.reasons() == [("gone", 1)] and len(columns.latencies) == 3


def test_repeats_of_a_row_stand_side_by_side(tmp_path: Path):
    run = scored_run(tmp_path, {"m": str}, {"d": ["0", "1"]}, repeats=2)
    samples = shown(run, repeats=2)
    assert [sample["prediction"] for sample in samples] == ["0", "2", "1", "3"]
    assert [sample["reference"] for sample in samples] == ["0", "0", "1", "1"]
    assert columns_of(run, repeats=2)[0].codes(range(4))["verdict"] == "rwrw"


def test_of_a_large_run_each_pair_has_its_share_and_wrong_answers_come_first(tmp_path: Path):
    golds = {"small": ["0"] * 4, "large": ["0"] * 400}
    run = scored_run(tmp_path, {"m": lambda n: "1" if n % 4 == 3 else "0"}, golds)
    small, large = choose_samples(columns_of(run), 60)
    assert list(small.places) == [0, 1, 2, 3] and small.index()["places"] is None
    assert list(large.places) == list(range(3, 3 + 56 * 4, 4))
    index = large.index()
    assert (index["count"], index["total"], index["verdict"]) == (56, 400, "w" * 56)
    [_, *samples] = [sample for sample in shown(run, most=60) if sample["name"].startswith("large")]
    assert samples[0]["name"] == "large_7" and len(samples) == 55


def test_blocks_are_as_many_as_the_page_expects_when_predictions_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(blocks_module, "BLOCK_SAMPLES", 2)
    run = scored_run(tmp_path, {"m": str}, {"d": ["0"] * 5})
    chosen = choose_samples(columns_of(run), None)
    write_json(run.folder.predictions(Pair("m", "d")), {"0": {"prediction": "0"}})
    counts = [len(json.loads(gzip.decompress(block))) for block in all_blocks(chosen, run.folder)]
    assert counts == [1, 0, 0]


def test_what_a_judge_says_is_told(tmp_path: Path):
    run = scored_run(tmp_path, {"m": str}, {"d": ["0"]})
    path = run.folder.results(Pair("m", "d"))
    results = without_seal(path)
    results["details"][0] |= {"grade": ["B"], "judge_answer": ["No: B"]}
    write_json(path, results)
    [sample] = shown(run)
    assert sample["said"] == {"grade": "B", "judge_answer": "No: B"}


def test_files_of_opencompass_are_shown_as_well(tmp_path: Path):
    run = scored_run(tmp_path, {"m": str}, {"d": ["0"]})
    write_json(run.folder.predictions(Pair("m", "d")), {"0": {"origin_prompt": "Q", "prediction": "A 7", "gold": "7"}})
    details = [{"example_abbr": "d_0", "pred": ["7"], "answer": ["7"], "correct": [True]}]
    write_json(run.folder.results(Pair("m", "d")), {"accuracy": 100.0, "details": details})
    [sample] = shown(run)
    assert sample == {"name": "d_0", "prompt": [["", "Q"]], "prediction": "A 7", "reference": "7", "answer": "7"}
    assert columns_of(run)[0].codes([0]) == {"status": "o", "verdict": "r", "found": "n"}


def test_likelihoods_of_options_are_told(tmp_path: Path):
    run = scored_run(tmp_path, {"m": str}, {"d": ["A"]})
    option = {"testing input": "t", "prompt": "p", "PPL": 1.5}
    record = {"0": {"label: A": option, "label: B": {**option, "PPL": 2.25}, "prediction": "A", "gold": "A"}}
    write_json(run.folder.predictions(Pair("m", "d")), record)
    [sample] = shown(run)
    assert sample["options"] == [["A", "PPL 1.5"], ["B", "PPL 2.25"]]


def test_a_file_that_cannot_be_read_ends_the_samples_with_the_reason(tmp_path: Path):
    run = scored_run(tmp_path, {"m": str}, {"d": ["0", "1"]})
    run.folder.predictions(Pair("m", "d")).write_text("{broken")
    [columns] = columns_of(run)
    assert len(columns) == 0 and "cannot be read" in columns.unreadable
    content = read_content(*run, None)
    assert [f.what for f in content.failures if "d.json" in f.reason] == ["cannot be read"] and content.samples == []


def test_a_status_that_there_is_not_ends_the_samples_with_the_reason(tmp_path: Path):
    run = scored_run(tmp_path, {"m": str}, {"d": ["0", "1"]})
    path = run.folder.predictions(Pair("m", "d"))
    path.write_text(path.read_text().replace('"ok"', '"0k"'))
    [columns] = columns_of(run)
    assert "'0k'" in columns.unreadable
