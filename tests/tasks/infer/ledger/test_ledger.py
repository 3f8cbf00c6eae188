"""No answer is lost, whatever is in it and wherever the process dies."""

import os
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.infer.ledger.ledger import Ledger, LedgerError, dump_json
from tasks.infer.ledger.records import RequestRecord
from tasks.models.interface import Completion, Likelihood, Usage
from tasks.spec.status import Status
from tasks.spec.storage.canonical import digest
from tasks.spec.storage.checksum import sealed


def record(name: str, text: str = "answer", status: Status = Status.OK, **fields: Any) -> RequestRecord:
    return RequestRecord(digest(name), "generate", "", "prompt", Completion(status, (text,), **fields))


def filled(folder: Path, count: int) -> list[RequestRecord]:
    ledger = Ledger(folder)
    records = [record(str(number), f"answer {number}") for number in range(count)]
    for item in records:
        ledger.append(item)
    ledger.close()
    return records


AWKWARD = [
    "line\u2028separator",
    "nul\x00",
    "\ud800 lone surrogate",
    "next\x85line",
    "x" * 1_000_000,
    "",
    "\r\n",
    "雪 ❄",
]


@pytest.mark.parametrize("text", AWKWARD, ids=range(len(AWKWARD)))
def test_any_text_reads_back_exactly(tmp_path: Path, text: str):
    ledger = Ledger(tmp_path)
    ledger.append(record("a", text))
    ledger.append(record("b", "after"))
    ledger.close()
    again = Ledger(tmp_path)
    assert again.get(digest("a")) == record("a", text)
    assert again.get(digest("b")) == record("b", "after")


@given(st.text(st.characters(codec=None), max_size=50))
def test_text_survives_the_round_trip(text: str):
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        Ledger(Path(folder)).append(record("a", text))
        assert Ledger(Path(folder)).get(digest("a")) == record("a", text)


def test_all_fields_read_back(tmp_path: Path):
    full = RequestRecord(
        digest("a"),
        "generate",
        "round 2",
        [{"role": "HUMAN", "prompt": "?"}],
        Completion(Status.TRUNCATED, ("x", "y"), "length", "thought", Usage(1, 2, 3, 4), 0.5, 2, None, "cut"),
    )
    scored = RequestRecord(digest("b"), "loglikelihood", "label: A", "text", Likelihood(Status.OK, -1.25, 7, 0.25, 1))
    failed = record("c", "", Status.ERROR, error="no connection")
    ledger = Ledger(tmp_path)
    for item in (full, scored, failed):
        ledger.append(item)
    assert [Ledger(tmp_path).get(item.key) for item in (full, scored, failed)] == [full, scored, failed]


@pytest.mark.parametrize("cut", [1, 5, 40])
def test_a_torn_last_record_costs_itself_alone(tmp_path: Path, cut: int):
    records = filled(tmp_path, 3)
    file = next(tmp_path.glob("*.jsonl"))
    os.truncate(file, file.stat().st_size - cut)
    ledger = Ledger(tmp_path)
    assert [ledger.has_answer(item.key) for item in records] == [True, True, False]
    ledger.append(records[2])
    again = Ledger(tmp_path)
    assert [again.get(item.key) for item in records] == records


def test_every_cut_keeps_all_complete_records(tmp_path: Path):
    records = filled(tmp_path / "whole", 4)
    data = next((tmp_path / "whole").glob("*.jsonl")).read_bytes()
    for size in range(0, len(data), 7):
        folder = tmp_path / str(size)
        folder.mkdir()
        (folder / "a.jsonl").write_bytes(data[:size])
        ledger = Ledger(folder)
        complete = data[:size].count(b"\n")
        assert [ledger.has_answer(item.key) for item in records] == [n < complete for n in range(4)]


def test_garbage_in_the_middle_costs_that_line_alone(tmp_path: Path):
    records = filled(tmp_path, 3)
    file = next(tmp_path.glob("*.jsonl"))
    lines = file.read_bytes().split(b"\n")
    lines[1] = b"\x00garbage"
    file.write_bytes(b"\n".join(lines))
    ledger = Ledger(tmp_path)
    assert [ledger.has_answer(item.key) for item in records] == [True, False, True]


def test_an_error_is_no_answer_and_never_replaces_one(tmp_path: Path):
    ledger = Ledger(tmp_path)
    ledger.append(record("a", "", Status.ERROR, error="timeout"))
    assert not ledger.has_answer(digest("a")) and (len(ledger), ledger.answered) == (1, 0)
    ledger.append(record("a", "good"))
    ledger.append(record("a", "", Status.ERROR, error="later"))
    for view in (ledger, Ledger(tmp_path)):
        assert view.has_answer(digest("a")) and (len(view), view.answered) == (1, 1)
        assert view.get(digest("a")) == record("a", "good")


def test_two_writers_do_not_disturb_each_other(tmp_path: Path):
    first, second = Ledger(tmp_path), Ledger(tmp_path)
    first.append(record("a"))
    second.append(record("b"))
    first.append(record("c"))
    assert len(Ledger(tmp_path)) == 3


def test_an_unwritable_folder_is_an_error_that_names_it(tmp_path: Path):
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    with pytest.raises(LedgerError, match="file"):
        Ledger(blocked / "ledger").append(record("a"))


def test_a_letter_that_changed_costs_its_record_and_is_told(tmp_path: Path, caplog: pytest.LogCaptureFixture):
    records = filled(tmp_path, 3)
    file = next(tmp_path.glob("*.jsonl"))
    file.write_bytes(file.read_bytes().replace(b"answer 1", b"answer 7"))
    ledger = Ledger(tmp_path)
    assert [ledger.has_answer(item.key) for item in records] == [True, False, True]
    assert f"{file}: line 2 is damaged" in caplog.text
    ledger.append(records[1])
    assert [Ledger(tmp_path).get(item.key) for item in records] == records


def test_no_byte_of_a_record_can_change_unseen(tmp_path: Path):
    records = filled(tmp_path, 2)
    file = next(tmp_path.glob("*.jsonl"))
    written = file.read_bytes()
    for place in range(written.index(b"\n") + 1, len(written)):
        for bit in (1, 32):
            file.write_bytes(written[:place] + bytes([written[place] ^ bit]) + written[place + 1 :])
            ledger = Ledger(tmp_path)
            assert ledger.has_answer(records[0].key) and ledger.get(records[1].key) is None
            ledger.close()


def test_a_record_that_is_damaged_while_the_ledger_is_open_is_no_answer(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    [item] = filled(tmp_path, 1)
    ledger = Ledger(tmp_path)
    file = next(tmp_path.glob("*.jsonl"))
    file.write_bytes(file.read_bytes().replace(b"answer 0", b"answer 7"))
    assert ledger.get(item.key) is None and "byte 0 is damaged" in caplog.text


def test_ledgers_without_checksums_are_read(tmp_path: Path):
    records = [record(str(number)) for number in range(2)]
    lines = [dump_json(item.to_json()) for item in records]
    (tmp_path / "1.jsonl").write_bytes(b"\n".join([*lines, b""]))
    assert [Ledger(tmp_path).get(item.key) for item in records] == records
    (tmp_path / "1.jsonl").write_bytes(b"\n".join([sealed(lines[0]), lines[1], b""]))
    assert [Ledger(tmp_path).has_answer(item.key) for item in records] == [True, False]
