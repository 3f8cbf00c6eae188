"""Loaders of MT-Bench, AlpacaEval and Arena-Hard."""

import json
from pathlib import Path

import pytest
from support.shared_data import shared_data
from support.specs import write_rows

from tasks.data.benchmarks.alpaca_eval import AlpacaEvalDataset
from tasks.data.benchmarks.arena_hard import ArenaHardDataset
from tasks.data.benchmarks.mtbench import MTBenchDataset
from tasks.spec.findings import UserError


def test_mtbench_of_its_authors() -> None:
    rows = MTBenchDataset.load(str(shared_data("subjective/mtbench_raw")))
    assert len(rows) == 80 and {row["capability"] for row in rows} >= {"writing", "math", "humanities"}
    assert [message["role"] for message in rows[0]["dialogue"]] == ["user", "assistant"] * 2
    assert sum(bool(row["reference_1"]) for row in rows) == 30
    assert rows[0]["question_2"].startswith("Rewrite your previous response")


def test_the_fields_of_one_temperature() -> None:
    path = str(shared_data("subjective/mtbench_raw"))
    counts = [len(MTBenchDataset.load(path, f"mtbench_{temperature}")) for temperature in ("0.0", "0.1", "0.7")]
    assert counts == [40, 20, 20]
    assert {row["capability"] for row in MTBenchDataset.load(path, "mtbench_0.1")} == {"stem", "humanities"}


def test_mtbench_of_opencompass(tmp_path: Path) -> None:
    dialogue = [{"role": role, "content": text} for role, text in (("user", "1+1?"), ("assistant", ""))]
    row = {"dialogue": dialogue, "capability": "math", "others": {"ref_answer_1": "2", "question_id": 111}}
    (tmp_path / "mtbench_0.0.json").write_text(json.dumps([row]))
    [loaded] = MTBenchDataset.load(str(tmp_path), "mtbench_0.0")
    assert (loaded["question_1"], loaded["reference_1"], loaded["question_id"]) == ("1+1?", "2", 111)
    assert loaded["dialogue"] == dialogue


def test_arena_hard() -> None:
    rows = ArenaHardDataset.load(str(shared_data("subjective/arena_hard")))
    assert len(rows) == 500 and rows[0]["capability"] == "ABC Sequence Puzzles & Groups"
    assert rows[0]["question"].startswith("Use ABC notation")


@pytest.mark.parametrize("names", [("question", "capability"), ("instruction", "dataset")])
def test_alpaca_eval_of_opencompass_and_of_its_authors(tmp_path: Path, names: tuple[str, str]) -> None:
    (tmp_path / "alpaca_eval.json").write_text(json.dumps([dict(zip(names, ("Why?", "koala"), strict=True))]))
    row = {"question": "Why?", "capability": "koala"}
    assert AlpacaEvalDataset.load(str(tmp_path)) == [row | {"judge": row}]


def test_rows_of_another_form_are_errors_with_their_place(tmp_path: Path) -> None:
    (tmp_path / "alpaca_eval.json").write_text('[{"question": "Why?"}, {"text": "x"}]')
    with pytest.raises(UserError, match=r"(?s)alpaca_eval\.json: \[1\].*'question' or 'instruction'"):
        AlpacaEvalDataset.load(str(tmp_path))
    write_rows(tmp_path / "arenahard.jsonl", [{"turns": []}])
    with pytest.raises(UserError, match=r"arenahard\.jsonl:1"):
        ArenaHardDataset.load(str(tmp_path))
    write_rows(tmp_path / "question.jsonl", [{"turns": ["x"]}])
    with pytest.raises(UserError, match=r"(?s)question\.jsonl:1.*'category'"):
        MTBenchDataset.load(str(tmp_path))
