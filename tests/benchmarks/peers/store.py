"""The raw figures, saved after every measurement, so that an interrupted one goes on where it stopped."""

import json
from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from benchmarks.machine import machine
from benchmarks.peers.measures import Figures


class Store:
    """`figures[scenario][peer]` is the list of its repetitions."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.figures: dict[str, dict[str, list[Figures]]] = {}
        if path.exists():
            self.figures = json.loads(path.read_text(encoding="utf-8"))["figures"]

    def of(self, scenario: str, peer: str) -> list[Figures]:
        """Its repetitions so far."""
        return self.figures.get(scenario, {}).get(peer, [])

    def add(self, scenario: str, peer: str, figures: Figures) -> None:
        """Keeps one repetition."""
        self.figures.setdefault(scenario, {}).setdefault(peer, []).append(figures)
        self.save(self.path)

    def save(self, path: Path) -> None:
        """Writes everything, and what it was measured on."""
        facts: Mapping[str, object] = {"date": f"{datetime.now():%Y-%m-%d}", **machine(), "figures": self.figures}
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(facts, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
