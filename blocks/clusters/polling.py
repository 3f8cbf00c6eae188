"""How often schedulers are asked for states: after seconds at first, then less and less often."""

_FIRST_SECONDS = 2.0
_GROWTH = 1.5


class Polling:
    """The pauses between two questions; `longest` is the cluster's own interval."""

    def __init__(self, longest: float) -> None:
        self._longest = longest
        self._next = _FIRST_SECONDS

    def begin(self) -> None:
        """Jobs were submitted, which may be short."""
        self._next = _FIRST_SECONDS

    def pause(self) -> float:
        """Seconds until the next question."""
        pause = min(self._next, self._longest)
        self._next = min(self._next * _GROWTH, self._longest)
        return pause
