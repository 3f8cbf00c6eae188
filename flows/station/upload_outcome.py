"""What became of a run's results at the station."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from tasks.spec.storage.run_folder import Pair

_WORDS = {
    "saved": "saved",
    "replaced": "replaced older ones",
    "same": "were there already",
    "kept": "left as the station has them (--station-overwrite replaces)",
    "failed": "could not be saved",
}


@dataclass
class KeptResults:
    """Fates of results, as the station tells them."""

    station: str
    """Where it is, without secrets."""
    fates: Counter[str] = field(default_factory=Counter[str])
    notes: dict[Pair, str] = field(default_factory=dict[Pair, str])
    """Why a result was not saved."""
    error: str = ""
    """Why the station could not be used, if it could not."""

    @property
    def failure(self) -> str:
        """Why results of the run are missing there; empty if none is."""
        if self.error:
            return self.error
        failed = [note for note in self.notes.values() if note] if self.fates["failed"] else []
        return f"{self.fates['failed']} results could not be saved: {failed[0]}" if failed else ""

    def lines(self) -> Sequence[str]:
        """For people."""
        counts = [f"{self.fates[fate]} {words}" for fate, words in _WORDS.items() if self.fates[fate]]
        first = f"station {self.station}: {', '.join(counts) or 'no result to save'}"
        return [first, *(f"  {pair.model}/{pair.dataset}: {note}" for pair, note in self.notes.items() if note)]
