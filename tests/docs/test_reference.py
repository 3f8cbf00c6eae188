"""The reference says what the code says."""

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from support.documents import read_page
from support.repository import ROOT
from support.workspace import Workspace, make_workspace

from docs.generators import configuration
from docs.generators.classes import options_of
from docs.generators.environment import explained, variables_read
from docs.generators.pages import PAGES
from flows.terminal.cli import main
from tasks.spec.names.type_loading import import_type
from tasks.spec.names.type_table import TABLE, Kind


@pytest.mark.parametrize("name", PAGES)
def test_pages_that_are_made_are_up_to_date(name: str) -> None:
    assert (ROOT / "docs/reference" / name).read_text(encoding="utf-8") == PAGES[name](), (
        "the code says something else now: python -m docs.generators"
    )


@pytest.mark.parametrize("kind", get_args(Kind))
def test_every_argument_is_explained(kind: Kind) -> None:
    taken = {each.name: options_of(import_type(each.ours, ()), kind) for each in TABLE if each.kind == kind}
    without = {name: [each.name for each in options if not each.meaning] for name, options in taken.items()}
    assert {name: missing for name, missing in without.items() if missing} == {}, "under the field, or in meanings.toml"


def test_every_key_of_a_configuration_is_explained() -> None:
    assert {place: set(keys) for place, keys in configuration.explained().items()} == configuration.accepted(), (
        "explain it in docs/generators/configuration.toml"
    )


def test_every_variable_that_the_code_reads_is_explained() -> None:
    assert variables_read() - explained() == set(), "explain it in docs/generators/environment.toml"


@pytest.fixture
def run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    workspace: Workspace = make_workspace(tmp_path)
    with workspace.server:
        workspace.write({"sums": 3})
        monkeypatch.chdir(tmp_path)
        assert main(["my_eval.py", "--inline", "--no-progress"]) == 0
    return workspace.run_folder


def _read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_keys_of_files_are_explained(run_folder: Path) -> None:
    results = _read(run_folder / "results/adder/sums.json")
    [summary] = (run_folder / "summary").glob("summary_*.json")
    [invocation] = _read(run_folder / "run.json")["invocations"]
    [row] = _read(summary)["rows"]
    parts = [
        _read(run_folder / "predictions/adder/sums.json")["0"], _read(summary), row, row["cells"][0],
        results["compass"], results["compass"]["samples"], results["details"][0], invocation,
        _read(run_folder / "run.json"), _read(run_folder / "infer_status/adder/sums.json"),
    ]  # fmt: skip
    told = set(re.findall(r"`([^`\s]+)`", read_page("docs/reference/files.md")))
    assert {key for part in parts for key in part} - told == set()
