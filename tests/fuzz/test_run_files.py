"""Whatever stands in a run folder, a score is of all planned samples or there is none, with the reason in words."""

import json
import logging
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.anything import HOSTILE, JSON, answer_of, changed, damaged, tries
from support.predictions import GSM8K_EVAL, Case
from support.specs import dataset_spec, model_spec, shard_of, sums, write_rows

from tasks.infer.job_file import read_job_file, write_shard_file
from tasks.infer.ledger.ledger import Ledger, dump_json
from tasks.infer.ledger.opencompass_predictions import adoptable_answers
from tasks.infer.ledger.records import RequestRecord
from tasks.infer.pair_state import read_state
from tasks.infer.part_manifests import PartKeys, finished_manifest, read_part, write_part
from tasks.models.interface import Completion, Likelihood, Usage
from tasks.report.summarize import summarize
from tasks.report.summary.scores import read_scores
from tasks.score.batch import BatchFailed, PairToScore, ScoreBatch, score_batch
from tasks.score.batch_file import read_batch_file, read_outcomes
from tasks.score.files.results import read_results, stored_score_key
from tasks.score.files.stored_details import read_details
from tasks.spec.status import Status
from tasks.spec.storage.canonical import digest
from tasks.spec.storage.checksum import sealed
from tasks.spec.storage.run_folder import RunFolder

GOLDS = ["#### 1", "#### 2", "#### 3"]
OURS = {
    str(n): {
        "origin_prompt": [{"role": "HUMAN", "prompt": f"q{n}"}],
        "prediction": f"It is {n + 1}.",
        "gold": f"#### {n + 1}",
        "status": "ok",
        "usage": {"prompt_tokens": 3, "completion_tokens": 2},
        "latency": 0.1,
        "note": "cut 3",
    }
    for n in range(3)
}
THEIRS = {key: {name: record[name] for name in ("origin_prompt", "prediction", "gold")} for key, record in OURS.items()}
FORMS = (OURS, THEIRS)


def case_in(folder: Path, evaluation: Any = None) -> Case:
    case = Case(folder, GOLDS, eval_cfg=evaluation or GSM8K_EVAL)
    case.folder.predictions(case.pair).parent.mkdir(parents=True, exist_ok=True)
    return case


def outcome(case: Case) -> str:
    """Why the pair has no score; empty if it has one, which then is of all samples."""
    try:
        score_batch(ScoreBatch((PairToScore(case.model, case.dataset),)), case.folder)
    except BatchFailed as failed:
        reason = failed.outcomes[0].reason
        assert reason and not case.folder.results(case.pair).exists()
        return reason
    own = case.own["samples"]
    assert own["n"] == len(GOLDS) and own["counted"] + own["errors"] == len(GOLDS)
    assert 0 <= case.results["accuracy"] <= 100
    json.dumps(case.results, allow_nan=False)
    summarize([case.model], [case.dataset], case.folder, None, time="20260101_000000")
    return ""


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return case_in(tmp_path)


def in_words(reason: str) -> bool:
    """Not the name of an exception of Python."""
    return not reason.startswith(
        ("TypeError", "AttributeError", "KeyError", "ValueError", "IndexError", "RecursionError")
    )


@tries(120)
@given(records=st.sampled_from(FORMS).flatmap(lambda form: changed(form, most=3)), layout=st.sampled_from([4, None]))
def test_predictions_with_anything_anywhere(case: Case, records: Any, layout: int | None) -> None:
    case.folder.predictions(case.pair).write_text(json.dumps(records, indent=layout))
    reason = outcome(case)
    assert in_words(reason), reason
    if len(records) < len(GOLDS):
        assert reason


@tries(120)
@given(
    content=HOSTILE
    | st.tuples(st.sampled_from(FORMS), st.sampled_from([4, None])).flatmap(
        lambda form: damaged(json.dumps(form[0], indent=form[1]).encode())
    )
)
def test_predictions_cut_short_or_damaged(case: Case, content: bytes) -> None:
    case.folder.predictions(case.pair).write_bytes(content)
    reason = outcome(case)
    assert in_words(reason), reason
    if not content.rstrip().endswith(b"}"):
        assert reason


@pytest.mark.parametrize("layout", [4, None])
@pytest.mark.parametrize("twice", [b'"0": {"prediction": "It is 7."},', b'"1": {"prediction": "It is 7."},'])
def test_a_record_that_stands_twice_is_never_silently_one(case: Case, layout: int | None, twice: bytes) -> None:
    text = json.dumps(THEIRS, indent=layout).encode()
    begin = b"{\n    " if layout else b"{"
    case.folder.predictions(case.pair).write_bytes(text.replace(begin, begin + twice + begin[1:], 1))
    assert "twice" in outcome(case)


@tries(30)
@given(missing=st.sets(st.integers(0, 2), min_size=1), more=st.sampled_from(["", "_3", "_1_2", "_01", "_x"]))
def test_shards_that_are_missing_or_extra(case: Case, missing: set[int], more: str) -> None:
    whole = case.folder.predictions(case.pair)
    for path in whole.parent.iterdir():
        path.unlink()
    for number in range(3):
        if number not in missing:
            whole.with_name(f"{whole.stem}_{number}.json").write_text(json.dumps({"0": OURS[str(number)]}))
    if more:
        whole.with_name(f"{whole.stem}{more}.json").write_text(json.dumps({"0": OURS["0"]}))
    assert in_words(reason := outcome(case)) and reason


@tries(80)
@given(data=st.data())
def test_results_files_of_any_form_make_a_summary_with_reasons(case: Case, data: st.DataObject) -> None:
    case.folder.predictions(case.pair).write_text(json.dumps(OURS, indent=4))
    assert outcome(case) == ""
    path = case.folder.results(case.pair)
    path.write_bytes(
        data.draw(HOSTILE | damaged(path.read_bytes()))
        if data.draw(st.booleans())
        else json.dumps(data.draw(changed(case.results, most=3))).encode()
    )
    for read in (read_results, stored_score_key, lambda path: list(read_details(path))):
        with suppress(OSError, ValueError):
            read(path)
    read_scores([case.model], [case.dataset], case.folder)
    summary = summarize([case.model], [case.dataset], case.folder, None, time="20260101_000000")
    assert summary.text


RECORDS = [
    RequestRecord(digest("a"), "generate", "", "hi", Completion(Status.OK, ("x",), "stop", "so", Usage(1, 2), 0.1, 1)),
    RequestRecord(digest("b"), "generate", "r", [{"role": "HUMAN"}], Completion(Status.ERROR, ("",), error="no")),
    RequestRecord(digest("c"), "loglikelihood", "A", "hi", Likelihood(Status.OK, -1.5, 2), (0, 1)),
]  # fmt: skip
LINES = [dump_json(record.to_json()) for record in RECORDS]


@tries(250)
@given(
    line=damaged(sealed(LINES[0]))
    | HOSTILE
    | changed(json.loads(sealed(LINES[0]))).map(dump_json)
    | changed(json.loads(sealed(LINES[2]))).map(dump_json)
)
def test_a_damaged_line_of_a_ledger_costs_itself_alone(tmp_path: Path, line: bytes) -> None:
    line = line.replace(b"\n", b"")
    (tmp_path / "1.jsonl").write_bytes(b"\n".join(map(sealed, [LINES[0], LINES[1]])) + b"\n")
    (tmp_path / "2.jsonl").write_bytes(b"\n".join([sealed(LINES[1]), line, sealed(LINES[2])]) + b"\n")
    with closing(Ledger(tmp_path)) as ledger:
        assert [ledger.get(record.key) for record in RECORDS] == RECORDS
        assert len(ledger) == len(RECORDS)


@tries(250)
@given(line=HOSTILE | changed(json.loads(LINES[0])).map(dump_json) | changed(json.loads(LINES[2])).map(dump_json))
def test_a_line_without_a_checksum_is_a_record_or_costs_itself_alone(tmp_path: Path, line: bytes) -> None:
    line = line.replace(b"\n", b"")
    (tmp_path / "1.jsonl").write_bytes(b"\n".join([LINES[0], line, *LINES[1:]]) + b"\n")
    with closing(Ledger(tmp_path)) as ledger:
        for record in RECORDS[1:]:
            found = ledger.get(record.key)
            assert found is not None and (found == record or record.key.encode() in line)
        for key in {digest("a"), *_keys(line)}:
            found = ledger.get(key)
            assert found is None or isinstance(found.result, Completion | Likelihood)
            assert ledger.has_answer(key) == (found is not None and found.result.status.is_final)


def _keys(line: bytes) -> list[str]:
    try:
        key = json.loads(line)["key"]
        bytes.fromhex(key[:32])
    except (ValueError, TypeError, LookupError, RecursionError):
        return []
    return [key]


@tries(60)
@given(data=st.data())
def test_a_part_is_finished_only_if_its_file_is_whole(tmp_path: Path, data: st.DataObject) -> None:
    keys = PartKeys(3)
    for row in range(3):
        keys.put(row, [digest(row)] * (row + 1))
    manifest = write_part(tmp_path, digest("part"), 0, keys, errors=0)
    for path in (tmp_path / manifest.path, tmp_path / f"{digest('part')[:32]}.json"):
        if data.draw(st.booleans()):
            path.write_bytes(data.draw(HOSTILE | damaged(path.read_bytes())))
    found = finished_manifest(tmp_path, digest("part"))
    if found is not None:
        assert [len(row) for row in read_part(tmp_path, found)] == [1, 2, 3]


@tries(60)
@given(data=st.data())
def test_shard_and_batch_files_are_read_or_refused(tmp_path: Path, data: st.DataObject) -> None:
    from tasks.infer.__main__ import main

    shard = shard_of(tmp_path / "run", model_spec(), dataset_spec(write_rows(tmp_path / "sums.jsonl", sums(3))))
    path = tmp_path / "job.json"
    write_shard_file(path, shard)
    damage = data.draw(st.booleans())
    path.write_bytes(
        data.draw(HOSTILE | damaged(path.read_bytes()))
        if damage
        else json.dumps(data.draw(changed(json.loads(path.read_bytes()), most=3))).encode()
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tasks.infer.__main__.at_termination", lambda _: None)
        patch.setattr("tasks.infer.__main__.job_logs", lambda _: None)
        patch.chdir(tmp_path)
        assert main([str(path)]) in (0, 1, 2)
    answer_of(lambda: read_batch_file(path))
    read_outcomes(path)


@tries(60)
@given(
    content=HOSTILE
    | JSON.map(lambda value: json.dumps(value).encode())
    | damaged(json.dumps(THEIRS, indent=4).encode())
)
def test_answers_of_opencompass_are_taken_over_or_left(case: Case, content: bytes) -> None:
    logging.getLogger("tasks.infer.ledger.opencompass_predictions").setLevel(logging.ERROR)
    case.folder.predictions(case.pair).write_bytes(content)
    case.folder.predictions(case.pair).with_name(f"tmp_{case.dataset.abbr}.jsonl").write_bytes(content)
    found = adoptable_answers(case.folder, case.pair)
    completion = found([{"role": "HUMAN", "prompt": "q0"}]) if found else None
    assert completion is None or all(isinstance(text, str) for text in completion.texts)


@tries(40)
@given(content=HOSTILE | JSON.map(lambda value: json.dumps(value).encode()))
def test_states_of_any_form(tmp_path: Path, content: bytes) -> None:
    case = case_in(tmp_path)
    path = case.folder.state("infer", case.pair)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    assert read_state(RunFolder(case.folder.root), "infer", case.pair) is None or read_job_file(path)
