"""Where files of a run lie: whatever models and datasets are called."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.spec.storage.run_folder import Pair, RunFolder, safe_name

HOSTILE = (
    "",
    ".",
    "..",
    "../../x",
    "/etc/passwd",
    "a\0b",
    "~",
    "x" * 300,
    "名" * 300,
    "\ud800",
    ".ledger",
    "a\n\x1b[2J",
    "..\\x",
)


@pytest.mark.parametrize("name", HOSTILE)
def test_a_name_is_one_component(tmp_path: Path, name: str):
    _check(safe_name(name))
    run, pair = RunFolder(tmp_path), Pair(name, name)
    places = (
        run.predictions(pair),
        run.ledger(pair),
        run.judge_ledger(pair, name),
        run.results(pair),
        run.server_log(name),
    )
    for path in (*places, run.log("infer", pair), run.state("infer", pair)):
        assert path.resolve().is_relative_to(tmp_path.resolve())
        path.parent.mkdir(parents=True, exist_ok=True)
        path.with_name(f"{path.name}.tmp").touch()


@given(st.text())
def test_any_name_is(name: str):
    _check(safe_name(name))


def _check(name: str) -> None:
    assert name and "/" not in name and "\0" not in name and not name.startswith(".")
    assert len(name.encode()) <= 201
