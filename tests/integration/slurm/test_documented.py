"""The four ways to start, as the how-to writes them, on a real Slurm and a cloud whose jobs really run."""

import shlex
from pathlib import Path

import pytest
from support.clouds import make_cloud
from support.documents import blocks_of
from support.slurm_workspace import SlurmWorkspace

pytestmark = [pytest.mark.slow, pytest.mark.serial]

PAGE = "docs/how_to/four_ways_to_start.md"
FASTER = "\npoll_seconds = 0.3\n"


def test_the_four_ways_to_start(workspace: SlurmWorkspace, tmp_path: Path):
    cloud = make_cloud(tmp_path / "cloud")
    path = f"{cloud.folder / 'bin'}:{workspace.slurm.environment['PATH']}"
    workspace.write({"sums": 6})
    ways: list[str] = []
    for block in blocks_of(PAGE):
        text = block.text.replace("my_partition", "main").replace("my-partition", "main")
        if "file" in block.marks:
            (workspace.folder / block.marks["file"]).write_text(text + FASTER)
        elif "append" in block.marks:
            workspace.config.write_text(workspace.config.read_text() + text)
        elif not block.language:
            for line in text.splitlines():
                done = workspace.run(
                    *shlex.split(line)[1:], "--inline",
                    environ={**workspace.slurm.environment, "PATH": path}, timeout=240,
                )  # fmt: skip
                assert done.returncode == 0, f"{line}\n{done.stderr}"
                assert "100.00" in done.stdout
                ways.append(_ways(workspace))
    assert ways == ["here", "Slurm", "Slurm", "DLC", "Slurm, then here"]
    assert len(cloud.calls("dlc", "submit")) == 2


def _ways(workspace: SlurmWorkspace) -> str:
    """Where the stages of the newest run were done."""
    jobs = {stage: workspace.run_folder / f".jobs/{stage}.jsonl" for stage in ("infer", "eval")}
    if not jobs["infer"].exists():
        return "here"
    place = "Slurm" if workspace.submitted()[0].partition("_")[0].isdigit() else "DLC"
    return place if jobs["eval"].exists() else f"{place}, then here"
