"""Writes the reference pages and the README picture: `python -m docs.generators`."""

from pathlib import Path

from docs.generators.pages import PAGES

if __name__ == "__main__":
    for name, build in PAGES.items():
        Path(__file__).parents[1].joinpath("reference", name).write_text(build(), encoding="utf-8")
