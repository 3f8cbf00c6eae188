"""What pages say of Prefect's own command and of its blocks works on a real server."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.documents import PREFECT, Block, blocks_of, pages
from support.repository import ROOT, installed

from flows.local_server.settings import cli_settings
from flows.prefect_api.server import start_own_server

pytestmark = [pytest.mark.slow, pytest.mark.serial]

PROGRAMS = {"prefect": ["-m", "prefect"], "compass": ["-P", "-m", "flows.terminal.cli"]}
PAGES = [page for page in pages() if "/zh/" not in page and any(PREFECT in block.marks for block in blocks_of(page))]


@pytest.fixture
def environment(prefect_state: dict[str, str], tmp_path: Path) -> Iterator[dict[str, str]]:
    shutil.copy(ROOT / "tests/data/page_eval.py", tmp_path / "my_eval.py")
    keys = {"OPENAI_API_KEY": "x", "OPENAI_BASE_URL": "http://127.0.0.1:9/v1", "OPENAI_MODEL": "gpt-x"}
    found = str(installed(tmp_path / "installed"))
    with start_own_server(prefect_state) as server:
        address = server.wait()
        assert address is not None, server.problem
        yield {
            **os.environ,
            **prefect_state,
            **keys,
            **cli_settings(address),
            "PYTHONPATH": os.pathsep.join([str(ROOT), found]),
        }


@pytest.mark.parametrize("page", PAGES)
def test_what_the_page_says_of_prefect_works(page: str, environment: dict[str, str], tmp_path: Path) -> None:
    for block in blocks_of(page):
        for command in _commands(block) if PREFECT in block.marks else ():
            done = subprocess.run(
                [sys.executable, *command], cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
            )
            assert done.returncode == 0, f"{block.place}: {shlex.join(command)}\n{done.stdout}{done.stderr}"


def _commands(block: Block) -> Iterator[list[str]]:
    if block.language == "python":
        yield ["-c", block.text]
        return
    for line in block.text.splitlines():
        program, *arguments = shlex.split(line, comments=True)
        plan = ["--dry-run"] if program == "compass" else []
        yield [*PROGRAMS[program], *arguments, *plan]
