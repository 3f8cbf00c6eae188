"""Whatever happened to a file of a run, tools say what they find, and the run that goes on comes to the same scores."""

import json
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.anything import HOSTILE, changed, damaged, tries
from support.fake_backend import add
from support.workspace import Workspace, make_workspace

from flows.terminal.cli import main

TWO_MODELS = "models += [dict(models[0], abbr='other', path='other')]\n"
TOOLS = (
    "status {run}", "status {run} --json", "cases {run}", "cases {run} --full", "compare {run}", "compare {run} --json",
    "diff {run} {kept}", "diff {run} {kept} --json", "export {run} -f csv", "export {run} -f lm-eval",
    "export {run} -f latex", "report {run}", "analyze-repeat {run}", "clean {run}", "migrate {run}",
)  # fmt: skip


class Finished(NamedTuple):
    """A run of two models on two datasets, and a copy of its folder as it was."""

    workspace: Workspace
    folder: Path
    kept: Path
    files: Sequence[str]
    scores: dict[str, Any]

    def restore(self) -> None:
        shutil.rmtree(self.folder)
        shutil.copytree(self.kept, self.folder)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Finished]:
    folder = tmp_path_factory.mktemp("damaged")
    workspace = make_workspace(folder, lambda text: "0" if "What is 3 " in text else add(text))
    with workspace.server:
        workspace.write({"sums": 5, "more": 3}, extra=TWO_MODELS)
        assert main([str(workspace.config), "--inline", "--no-progress"]) == 0
        kept = folder / "kept"
        shutil.copytree(run := workspace.run_folder, kept)
        names = [str(path.relative_to(run)) for path in sorted(run.rglob("*")) if path.is_file()]
        files = [name for name in names if not name.startswith(("logs", ".lock"))]
        yield Finished(workspace, run, kept, files, scores_of(run))


def scores_of(run: Path) -> dict[str, Any]:
    """The numbers of the newest summary."""
    newest = max(run.glob("summary/summary_*.json"), key=lambda path: path.stat().st_mtime_ns)
    rows = json.loads(newest.read_bytes())["rows"]
    return {row["dataset"]: [cell.get("value") for cell in row["cells"]] for row in rows}


@st.composite
def damage(draw: st.DrawFn, content: bytes, is_json: bool) -> bytes:
    if is_json and draw(st.booleans()):
        return json.dumps(draw(changed(json.loads(content))), indent=4).encode()
    return draw(HOSTILE | damaged(content) | flipped(content))


@st.composite
def flipped(draw: st.DrawFn, content: bytes) -> bytes:
    """Another letter or digit at some place."""
    places = [place for place, byte in enumerate(content) if chr(byte).isalnum() and byte < 128]
    if not places:
        return b"x"
    place = draw(st.sampled_from(places))
    return content[:place] + draw(st.sampled_from([b"0", b"1", b"7", b"a", b"z"])) + content[place + 1 :]


def damage_one(finished: Finished, data: st.DataObject) -> str:
    """Damages one file of the run, sometimes without a trace in its time."""
    finished.restore()
    name = data.draw(st.sampled_from(finished.files))
    path = finished.folder / name
    stat = path.stat()
    path.write_bytes(data.draw(damage(path.read_bytes(), name.endswith(".json"))))
    if data.draw(st.booleans()):
        os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    return name


@tries(40)
@given(data=st.data(), tool=st.sampled_from(TOOLS))
def test_tools_on_a_damaged_run(
    finished: Finished, capsys: pytest.CaptureFixture[str], data: st.DataObject, tool: str
) -> None:
    damage_one(finished, data)
    status = main(tool.format(run=finished.folder, kept=finished.kept).split())
    shown = capsys.readouterr()
    assert status in (0, 1, 2), shown
    assert "Traceback" not in shown.err + shown.out


@tries(12)
@given(data=st.data())
def test_a_table_shows_no_score_that_was_not_made(finished: Finished, data: st.DataObject) -> None:
    damage_one(finished, data)
    status = main([str(finished.workspace.config), "-r", finished.folder.name, "-m", "viz"])
    assert status in (0, 1, 2)
    if status == 2:
        return
    for dataset, values in scores_of(finished.folder).items():
        for value, right in zip(values, finished.scores[dataset], strict=True):
            assert value in (None, right)


@tries(12)
@given(data=st.data())
def test_a_damaged_run_that_goes_on_comes_to_the_same(finished: Finished, data: st.DataObject) -> None:
    name = damage_one(finished, data)
    again = [str(finished.workspace.config), "-r", finished.folder.name, "--inline", "--no-progress"]
    statuses = [main(again)]
    if statuses[0] == 1:  # an answer was gone, which the next run asks for
        statuses.append(main(again))
    assert statuses[-1] == 0, (name, statuses)
    assert scores_of(finished.folder) == finished.scores
