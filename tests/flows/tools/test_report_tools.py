"""The page of a run and the comparison of two, from the command line."""

import json
import signal
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import expect
from support.browser import chromium
from support.workspace import Workspace, kill_group

from flows.terminal.cli import main
from tasks.spec.storage.run_folder import run_names


@pytest.fixture
def scored(workspace: Workspace) -> Workspace:
    """A workspace with a finished run."""
    workspace.write({"sums": 6, "more": 4})
    assert main([str(workspace.config), "--inline", "--no-progress"]) == 0
    return workspace


def test_report_writes_the_page_of_a_saved_run(scored: Workspace, capsys: pytest.CaptureFixture[str]):
    assert main(["report", "-w", str(scored.work_dir)]) == 0
    path = scored.run_folder / "summary/report.html"
    assert f"report: {path}" in capsys.readouterr().err
    page = path.read_text()
    assert "10 samples" in page and "What is 0 + 1?" not in page, "texts of samples are packed"
    assert "<dt>data fingerprint</dt>" in page and "<dt>prompt version</dt>" in page and "version of prefect" in page


def test_a_run_writes_it_where_it_is_asked_to(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": 2})
    change = "models.0.key=not-for-anyone-1234"
    assert main([str(workspace.config), "--inline", "--report", "--no-progress", "--set", change]) == 0
    path = workspace.run_folder / "summary/report.html"
    assert str(path) in capsys.readouterr().err and "models.0.key=" in path.read_text()
    assert not [f for f in workspace.run_folder.rglob("*") if f.is_file() and b"not-for-anyone-1234" in f.read_bytes()]


def test_a_missing_package_is_told_before_anything_is_asked(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr("flows.preparation.prepare.find_spec", lambda name: None)
    workspace.write({"sums": 2})
    assert main([str(workspace.config), "--inline", "--report"]) == 2
    assert "compass-llm-eval[report]" in capsys.readouterr().err and workspace.server.requests == 0


def test_a_mode_without_a_summary_says_that_there_will_be_no_page(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write({"sums": 2})
    assert main([str(workspace.config), "--inline", "--report", "-m", "infer", "--no-progress"]) == 0
    assert "--report has no effect" in capsys.readouterr().err


def test_diff_shows_what_flipped(scored: Workspace, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    right = scored.server.answer
    scored.server.answer = lambda text: (
        "\x1b[31mwrong" if text.startswith(("What is 1 ", "What is 2 ")) else right(text)
    )
    assert main([str(scored.config), "--inline", "--no-progress"]) == 0
    runs = [str(scored.work_dir / name) for name in run_names(scored.work_dir)]
    capsys.readouterr()
    assert main(["diff", *runs, "-c", "1"]) == 0
    shown = capsys.readouterr().out
    row = next(cells for line in shown.splitlines() if (cells := line.split())[:2] == ["adder", "sums"])
    assert "-33.33" in row and row[-4:] == ["0.5", "1", "0", "2"]
    assert "sums_1: 3 → \\x1b[31mwrong (reference 3)" in shown and "sums_2" not in shown
    assert main(["diff", *runs, "--json"]) == 0
    told = {pair["first"]["dataset"]: pair for pair in json.loads(capsys.readouterr().out)}
    assert [flip["row"] for flip in told["more"]["flips"]] == ["more_1", "more_2"]
    assert main(["diff", *runs, "--html", str(tmp_path / "diff.html")]) == 0
    page = (tmp_path / "diff.html").read_text()
    assert page.count("✗ now wrong: 2") == 2 and "script-src" in page
    assert main(["diff", runs[0], str(tmp_path)]) == 2


@pytest.fixture
def address(scored: Workspace) -> Iterator[str]:
    """Where `compass view` serves the run."""
    process = scored.start("view", str(scored.run_folder))
    try:
        assert process.stdout is not None and process.stderr is not None
        address = process.stdout.readline().strip()
        assert address, process.stderr.read()
        yield address
        process.send_signal(signal.SIGINT)
        assert process.wait(10) == 0
    finally:
        kill_group(process)


@pytest.mark.serial
def test_view_serves_all_samples_to_a_browser(address: str):
    with urlopen(address) as answer:
        assert b"10 samples" in answer.read()
    with chromium() as browser:
        page = browser.new_page()
        page.goto(f"{address}#sample/adder/sums/3")
        expect(page.locator("#sample")).to_contain_text("What is 3 + 4?")
        page.fill("#query", "what is 2 + 3")
        expect(page.locator("#matches")).to_have_text("2 of 10 samples")
