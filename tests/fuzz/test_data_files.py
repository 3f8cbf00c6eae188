"""A user's own file of questions, in any encoding and with any columns: its rows are asked, or the error names it."""

import csv
import io
import json
from typing import Any

import pyarrow as arrow
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pyarrow import parquet
from support.anything import HOSTILE, JSON, TEXTS, changed, damaged, tries
from support.workspace import Workspace, make_workspace

from flows.terminal.cli import main

ROWS = [
    {"question": "Was ist größer?", "A": "eins", "B": "zwei", "answer": "B"},
    {"question": "哪个更大?", "A": "一", "B": "二", "answer": "B"},
]
ENCODINGS = ("utf-8", "utf-8-sig", "utf-16", "utf-16-be", "utf-32", "gb18030", "cp1252")


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """Only planned: nothing is asked."""
    workspace = make_workspace(tmp_path_factory.mktemp("data"))
    (workspace.folder / "models").mkdir()
    model = "dict(type='OpenAISDK', abbr='adder', path='adder', key='EMPTY', openai_api_base='http://127.0.0.1:9')"
    (workspace.folder / "models/adder.py").write_text(f"models = [{model}]\n")
    return workspace


def as_csv(rows: Any) -> str:
    with io.StringIO() as file:
        columns = dict.fromkeys(key for row in rows if isinstance(row, dict) for key in row)
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows([row.get(key) for key in columns] if isinstance(row, dict) else [row] for row in rows)
        return file.getvalue()


def as_json_lines(rows: Any) -> str:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def as_parquet(rows: Any) -> bytes:
    with io.BytesIO() as file:
        parquet.write_table(arrow.Table.from_pylist(rows), file)
        return file.getvalue()


@st.composite
def rows(draw: st.DrawFn) -> list[Any]:
    """The questions with anything in them, or with columns of other names."""
    if draw(st.booleans()):
        return draw(changed(ROWS, most=3))
    names = dict(
        zip(ROWS[0], draw(st.lists(TEXTS | st.sampled_from(list(ROWS[0])), min_size=4, max_size=4)), strict=True)
    )
    return [{names[key]: value for key, value in row.items()} for row in ROWS]


@st.composite
def files(draw: st.DrawFn) -> tuple[str, bytes]:
    """The end of a file's name, and the file."""
    form = draw(st.sampled_from(["csv", "jsonl", "parquet"]))
    content = ROWS if draw(st.booleans()) else draw(rows())
    if form == "parquet":
        try:
            whole = as_parquet(content)
        except (arrow.ArrowException, AttributeError, TypeError, ValueError, OverflowError):
            whole = as_parquet(ROWS)
    else:
        try:
            text = as_csv(content) if form == "csv" else as_json_lines(content)
        except csv.Error:
            text = as_csv(ROWS)
        whole = text.encode(draw(st.sampled_from(ENCODINGS)), "replace")
    return form, draw(st.just(whole) | damaged(whole) | HOSTILE)


@tries(120)
@given(file=files(), options=st.sampled_from([(), ("qa",), ("mcq",), ("circular-mcq",), ("mcq", "ppl")]))
def test_the_file_is_planned_or_its_error_names_it(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], file: tuple[str, bytes], options: tuple[str, ...]
) -> None:
    form, content = file
    path = workspace.folder / f"mine.{form}"
    path.write_bytes(content)
    flags = ("--custom-dataset-data-type", "--custom-dataset-infer-method")
    arguments = ["--models", "adder", "--config-dir", str(workspace.folder), "-w", str(workspace.work_dir), "--dry-run"]
    given_options = [word for pair in zip(flags, options, strict=False) for word in pair]
    status = main([*arguments, "--custom-dataset-path", str(path), *given_options])
    shown = capsys.readouterr()
    assert status in (0, 2) and "Traceback" not in shown.err + shown.out
    assert status == 0 or path.name in shown.err or "--custom-dataset-path" in shown.err or "mine" in shown.err


@tries(40)
@given(
    meta=HOSTILE
    | JSON.map(lambda value: json.dumps(value).encode())
    | changed(
        {
            "abbr": "x",
            "data_type": "qa",
            "infer_method": "gen",
            "input_columns": ["question"],
            "output_column": "answer",
            "human_prompt": "{question}",
            "template": "{question}",
            "options": ["A", "B"],
            "test_range": "[:1]",
            "evaluator": "AccEvaluator",
            "evaluator_kwargs": {},
        },
        most=2,
    ).map(lambda value: json.dumps(value).encode())
)
def test_a_description_beside_the_file_is_used_or_refused(
    workspace: Workspace, capsys: pytest.CaptureFixture[str], meta: bytes
) -> None:
    path = workspace.folder / "described.jsonl"
    path.write_text(as_json_lines(ROWS))
    path.with_name("described.jsonl.meta.json").write_bytes(meta)
    arguments = ["--models", "adder", "--config-dir", str(workspace.folder), "-w", str(workspace.work_dir), "--dry-run"]
    status = main([*arguments, "--custom-dataset-path", str(path)])
    shown = capsys.readouterr()
    assert status in (0, 2) and "Traceback" not in shown.err + shown.out
    assert status == 0 or shown.err
