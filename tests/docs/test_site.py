"""The site of the documentation can be built: every page is in it, and every link leads somewhere."""

import subprocess
import sys
from pathlib import Path

import pytest
from support.documents import pages
from support.repository import ROOT


@pytest.mark.slow
def test_the_site_has_every_page(tmp_path: Path) -> None:
    pytest.importorskip("furo", reason="needs the extra docs")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", "docs", ".", str(tmp_path)]
    built = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stderr
    missing = [page for page in pages() if not (tmp_path / page).with_suffix(".html").is_file()]
    assert missing == []
    assert "docs/index.html" in (tmp_path / "index.html").read_text()
