#!/usr/bin/env python3
"""Finds words in the repository's texts that docs/glossary.toml tells not to use; exit status 1 if there are any."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


def main() -> int:
    """Prints each place with the word to use instead."""
    glossary = tomllib.loads((ROOT / "docs/glossary.toml").read_text(encoding="utf-8"))
    words = {re.compile(rf"\b(?:{word})\b", re.IGNORECASE): instead for word, instead in glossary["words"].items()}
    command = ["git", "ls-files", *glossary["files"]]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    found = [
        f"{name}:{number}: {match[0]!r}: write {instead!r}"
        for name in names
        if not name.startswith(tuple(glossary["exempt"]))
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), start=1)
        for word, instead in words.items()
        for match in word.finditer(line)
    ]
    sys.stdout.write("".join(f"{place}\n" for place in found))
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
