"""Where the records of a ledger stand, by request key; there may be many millions."""

import errno
import sqlite3
import threading

_KEY_BYTES = 16


class LedgerIndex:
    """Numbers of up to 63 bits by request key; safe to use from several threads.

    From about 50,000 on they lie in an unnamed temporary file, 35 bytes each; memory stays below 3 MB.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._table = sqlite3.connect("", isolation_level=None, check_same_thread=False)
        self._table.execute("CREATE TABLE places (key BLOB PRIMARY KEY, place INTEGER) WITHOUT ROWID")

    def __len__(self) -> int:
        with self._lock:
            [count] = self._table.execute("SELECT count(*) FROM places").fetchone()
        return count

    def odd(self) -> int:
        """How many of the numbers are odd."""
        with self._lock:
            [count] = self._table.execute("SELECT count(*) FROM places WHERE place & 1").fetchone()
        return count

    def get(self, key: str) -> int | None:
        """The number under a key, which may be cut to its first 32 hex digits."""
        with self._lock:
            row = self._table.execute("SELECT place FROM places WHERE key = ?", (_short(key),)).fetchone()
        return row[0] if row else None

    def put(self, key: str, place: int) -> None:
        """Puts the number in place of any other; OSError if the disk takes no more."""
        try:
            with self._lock:
                self._table.execute("INSERT OR REPLACE INTO places VALUES (?, ?)", (_short(key), place))
        except sqlite3.OperationalError as error:
            raise OSError(errno.ENOSPC, str(error), "the temporary file of the ledger's index") from error

    def close(self) -> None:
        """Gives memory and disk back."""
        self._table.close()


def _short(key: str) -> bytes:
    return bytes.fromhex(key[: 2 * _KEY_BYTES])
