"""The site of the documentation: `make docs` builds it into build/docs, README and its kind included."""

import tomllib
from pathlib import Path

_ROOT = Path(__file__).parents[1]
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "Compass"
release = _PROJECT["version"]
extensions = ["myst_parser"]
root_doc = "docs/contents"
include_patterns = ["*.md", "docs/**"]
exclude_patterns = [path.name for path in _ROOT.iterdir() if path.is_dir() and path.name != "docs"]
html_theme = "furo"
html_title = f"Compass {release}"
html_copy_source = False
html_show_copyright = False
highlight_language = "text"
html_extra_path = ["start"]
myst_heading_anchors = 4
nitpicky = True
