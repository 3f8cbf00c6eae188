"""Answers that all runs share (`--cache`): a ledger per model and endpoint, by request key."""

import threading
from pathlib import Path

from tasks.infer.ledger.ledger import Ledger
from tasks.spec.identity import endpoint_identity
from tasks.spec.specs import ModelSpec
from tasks.spec.storage.canonical import digest

_NAME_LENGTH = 32


class SharedAnswers:
    """The folder of a cache; usable from any thread, and by several processes at once."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._ledgers: dict[str, Ledger] = {}
        self._lock = threading.Lock()

    def of(self, model: ModelSpec, identity: str) -> Ledger:
        """The answers of the model with that identity as it is asked now: another endpoint has answers of its own."""
        name = digest([identity, endpoint_identity(model)])[:_NAME_LENGTH]
        with self._lock:
            ledger = self._ledgers.get(name)
            if ledger is None:
                ledger = self._ledgers[name] = Ledger(self._folder / name)
            return ledger

    def close(self) -> None:
        """Closes the files."""
        for ledger in self._ledgers.values():
            ledger.close()
