"""What the terminal tells of failing samples: a line each, the same thing not again and again, all of it in the log."""

import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.scripted_server import Call, Turn, failed
from support.workspace import Workspace

from flows.output.log_lines import TerminalLog
from flows.terminal.cli import main
from tasks.infer.task_log import work_log

ROWS = 40
LONG = "this model does not exist, or you have no access to it: " + "ask for it " * 20 + "in vain"


def refused(call: Call) -> Turn:
    return failed(404, message=f"{LONG} (request req_{call.number}a)")


def test_one_reason_is_told_three_times_on_whole_lines_and_kept_in_the_log(
    workspace: Workspace, capsys: pytest.CaptureFixture[str]
):
    workspace.write({"sums": ROWS})
    workspace.server.decide = refused
    assert main([str(workspace.config), "--inline"]) == 1
    told = [line for line in capsys.readouterr().err.splitlines() if line.startswith("warning: sums row")]
    assert len(told) == 3
    assert all(f"HTTP 404: {LONG} (request req_" in line for line in told)
    assert told[-1].endswith(" (more of these in the log alone)") and not told[0].endswith("alone)")
    log = (workspace.run_folder / "logs/infer/adder/sums.out").read_text()
    assert log.count(f"HTTP 404: {LONG}") >= ROWS


def test_debugging_tells_all_of_it(workspace: Workspace, capsys: pytest.CaptureFixture[str]):
    workspace.write({"sums": ROWS})
    workspace.server.decide = refused
    main([str(workspace.config), "--inline", "--debug"])
    assert capsys.readouterr().err.count("warning: sums row") == ROWS


@pytest.fixture
def log() -> Iterator[logging.Logger]:
    logger = logging.getLogger("test_terminal_log")
    handler = TerminalLog(debug=False)
    logger.addHandler(handler)
    yield logger
    logger.removeHandler(handler)


def test_other_reasons_are_told_beside_the_first(
    log: logging.Logger, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    with work_log(tmp_path / "a.out"):
        for row in range(10):
            log.warning("row %d: %s", row, "HTTP 404: no")
        log.warning("row %d: %s", 11, "HTTP 500: no")
    assert [line.split(" (")[0] for line in capsys.readouterr().err.splitlines()] == [
        "warning: row 0: HTTP 404: no",
        "warning: row 1: HTTP 404: no",
        "warning: row 2: HTTP 404: no",
        "warning: row 11: HTTP 500: no",
    ]


def test_what_no_log_keeps_and_what_failed_for_good_is_always_told(
    log: logging.Logger, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    for number in range(9):
        log.warning("job %d waits", number)
    with work_log(tmp_path / "a.out"):
        for _ in range(9):
            log.error("%s failed", "[red]a[/]")
    lines = capsys.readouterr().err.splitlines()
    assert lines == [*(f"warning: job {number} waits" for number in range(9)), *["error: [red]a[/] failed"] * 9]
