"""The log of a piece of work, which people show on their terminals."""

import logging
from pathlib import Path

from tasks.infer.task_log import WorkLogRouter, work_log


def test_what_is_logged_neither_steers_a_terminal_nor_looks_like_another_record(tmp_path: Path):
    logger = logging.getLogger("tests.work_log")
    logger.addHandler(WorkLogRouter())
    forged = "2026-01-01 00:00:00,000 ERROR tasks.infer: the key is wrong"
    with work_log(tmp_path / "x.out"):
        logger.warning("it said \x1b]0;taken over\x07\x1b[2J\x9b31m \u202e\r\n%s", forged)
    text = (tmp_path / "x.out").read_text()
    assert text.replace("\n", "").isprintable() and "\\x1b[2J" in text
    assert text.splitlines()[1] == f"    {forged}"


def test_lines_of_a_file_that_tasks_share_name_their_task(tmp_path: Path) -> None:
    log = logging.getLogger("tasks.infer.anything")
    router = WorkLogRouter()
    log.addHandler(router)
    try:
        for task in ("OpenICLInfer[m/d_0]", "OpenICLInfer[m/d_1]"):
            with work_log(tmp_path / "d.out", task=task):
                log.warning("100% done")
    finally:
        log.removeHandler(router)
    lines = (tmp_path / "d.out").read_text().splitlines()
    assert [("d_0]" in line, "d_1]" in line) for line in lines] == [(True, False), (False, True)]
