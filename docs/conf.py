"""The site of the documentation: `make docs` builds it into build/docs."""

import tomllib
from pathlib import Path

_PROJECT = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text(encoding="utf-8"))["project"]

project = "Compass"
release = _PROJECT["version"]
extensions = ["myst_parser"]
exclude_patterns = ["generators"]
html_theme = "furo"
html_title = f"Compass {release}"
html_copy_source = False
myst_heading_anchors = 4
nitpicky = True
root_doc = "contents"
