"""The log of a job, where its cloud has something to add to it."""

from pathlib import Path


def append(log: Path, title: str, text: str) -> None:
    """Adds a text under a title to the log; nothing where there is no text."""
    if text.strip():
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8", errors="replace") as file:
            file.write(f"----- {title}\n{text.rstrip()}\n")
