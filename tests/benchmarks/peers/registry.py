"""The systems that are measured, in the order of the table's columns."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

from benchmarks.bench import open_bench
from benchmarks.peers.compass import Compass
from benchmarks.peers.environments import install
from benchmarks.peers.opencompass import OpenCompass
from benchmarks.peers.peer import Peer


class Entry(NamedTuple):
    """How a system is named, and made ready."""

    title: str
    """Of its column."""
    open: Callable[[Path], AbstractContextManager[Peer]]
    """Installs it below the folder, which is kept between runs."""


@contextmanager
def _compass(folder: Path, *, inline: bool) -> Iterator[Peer]:
    own = folder / ("compass_inline" if inline else "compass")
    own.mkdir(parents=True, exist_ok=True)
    with open_bench(own, with_server=not inline) as bench:
        yield Compass(bench, inline)


PEERS: dict[str, Entry] = {
    "compass": Entry("Compass", lambda folder: _compass(folder, inline=False)),
    "compass-inline": Entry("Compass `--inline`", lambda folder: _compass(folder, inline=True)),
    "opencompass": Entry(
        "OpenCompass", lambda folder: nullcontext(OpenCompass(install("opencompass", folder, first=["torch"])))
    ),
}
