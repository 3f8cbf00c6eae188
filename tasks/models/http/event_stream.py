"""Takes a stream of server-sent events apart (WHATWG HTML, "Server-sent events"); only `data` fields matter here."""

_DONE = b"[DONE]"


class EventStream:
    """Holds what has come of the current event; fed with the bytes of a reply as they arrive."""

    def __init__(self) -> None:
        self.done = False
        """Whether the service has said that nothing follows."""
        self._rest: list[bytes] = []
        """Pieces of a line whose end has not come."""
        self._data: list[bytes] = []

    def feed(self, received: bytes) -> list[bytes]:
        """The data of the events that are complete now."""
        ended, line_end, rest = received.rpartition(b"\n")
        if not line_end:
            self._rest.append(received)
            return []
        lines = b"".join([*self._rest, ended]).split(b"\n")
        self._rest = [rest]
        events: list[bytes] = []
        for line in lines:
            text = line[:-1] if line.endswith(b"\r") else line
            if text.startswith(b"data:"):
                self._data.append(text[6:] if text[5:6] == b" " else text[5:])
            elif not text and self._data:
                events.append(b"\n".join(self._data))
                self._data.clear()
        return self._before_end(events)

    def close(self) -> list[bytes]:
        """The data of a last event that the service did not close with an empty line."""
        return self.feed(b"\n\n")

    def _before_end(self, events: list[bytes]) -> list[bytes]:
        if _DONE in events:
            self.done = True
            return events[: events.index(_DONE)]
        return events
