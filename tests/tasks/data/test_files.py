from pathlib import Path

import pytest

from tasks.data.files import read_csv, read_jsonl
from tasks.data.json_files import read_json_rows
from tasks.spec.findings import Place, UserError


def write(tmp_path: Path, name: str, data: bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(data)
    return path


def test_json_lines_end_at_newline_only(tmp_path: Path) -> None:
    text = "a\u2028b\u0085c"
    path = write(tmp_path, "a.jsonl", f'\ufeff{{"q": "{text}"}}\r\n\n{{"q": "2"}}'.encode())
    assert read_jsonl(path) == [{"q": text}, {"q": "2"}]


def test_json_keeps_what_only_escapes_can_write(tmp_path: Path) -> None:
    path = write(tmp_path, "a.jsonl", rb'{"q": "\ud83d", "n": NaN, "big": 123456789012345678901234567890}')
    [row] = read_jsonl(path)
    assert row["q"] == "\ud83d"
    assert row["big"] == 123456789012345678901234567890


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (b'{"q": }', "not JSON: .* at column 7"),
        (b"[1]", "a list instead of a JSON object"),
        (b'{"q": "2", "a": 1, "q": "3"}', "'q' stands twice"),
        (b'{"q" : "2", "q" : "3"}', "'q' stands twice"),
        (b'{"q":"2","q"\t:"3"}', "'q' stands twice"),
        (b'{"q": {"a": [{"b": 1, "b": 2}]}}', "'b' stands twice"),
        (b'{"q": "\xff"}', "not UTF-8"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, line: bytes, message: str) -> None:
    path = write(tmp_path, "a.jsonl", b'{"q": "1"}\n' + line + b"\n")
    with pytest.raises(UserError, match=message) as error:
        read_jsonl(path)
    assert error.value.findings[0].place == Place(str(path), 2)


def test_csv_values_are_text_and_may_hold_anything(tmp_path: Path) -> None:
    long = "x" * 200_000
    path = write(tmp_path, "a.csv", f'\ufeffq,a\r\n"1, ""2""\n3",007\r\n{long},\r\n'.encode())
    assert read_csv(path) == [{"q": '1, "2"\n3', "a": "007"}, {"q": long, "a": ""}]


@pytest.mark.parametrize("record", ["1", "1,2,3"])
def test_a_csv_record_of_another_length_is_named(tmp_path: Path, record: str) -> None:
    path = write(tmp_path, "a.csv", f"q,a\n1,2\n{record}\n".encode())
    with pytest.raises(UserError, match="more or fewer values") as error:
        read_csv(path)
    assert error.value.findings[0].place == Place(str(path), 3)


def test_csv_that_is_not_text_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="not UTF-8"):
        read_csv(write(tmp_path, "a.csv", b"q,a\n\xff,1\n"))


@pytest.mark.parametrize(
    "line",
    [b'{"q": "he said \\"yes\\": a"}', b'{"q": [{"a": 1}, {"a": 2}], "a": {"q": 1}}', b'{"a\\"": 1, "a\\" :": 2}'],
)
def test_what_only_looks_like_a_second_key_is_read(tmp_path: Path, line: bytes) -> None:
    assert len(read_jsonl(write(tmp_path, "a.jsonl", line))) == 1


@pytest.mark.parametrize("header", ["q,a,q", '"q","a","a"', "\ufeffq,q,a"])
def test_two_columns_of_one_name_are_named(tmp_path: Path, header: str) -> None:
    path = write(tmp_path, "a.csv", f"{header}\n1,2,3\n".encode())
    with pytest.raises(UserError, match="two columns have the name") as error:
        read_csv(path)
    assert error.value.findings[0].place == Place(str(path), 1)


def test_a_json_document_with_a_key_twice_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", b'[{"q": 1},\n {"q": 2, "q": 3}]')
    with pytest.raises(UserError, match="'q' stands twice"):
        read_json_rows(path)
