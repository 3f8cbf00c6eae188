"""The systems that are measured, in the order of the table's columns."""

import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import NamedTuple

from benchmarks.bench import open_bench
from benchmarks.peers import compass, evalscope, inspect_ai, lm_eval, opencompass
from benchmarks.peers.environments import install
from benchmarks.peers.peer import Peer


class Entry(NamedTuple):
    """How a system is named, set up and made ready."""

    title: str
    """Of its column."""
    settings: str
    """A sentence for the page: what was chosen, and why."""
    open: Callable[[Path], AbstractContextManager[Peer]]
    """Installs it below the folder, which is kept between runs."""


@contextmanager
def _compass(_: Path, *, inline: bool) -> Iterator[Peer]:
    with (
        tempfile.TemporaryDirectory(prefix="compass-peer-", ignore_cleanup_errors=True) as folder,
        open_bench(Path(folder), with_server=not inline) as bench,
    ):
        bench.warm_up()
        yield compass.Compass(bench, inline)


PEERS: dict[str, Entry] = {
    "compass": Entry("Compass", compass.SETTINGS, lambda folder: _compass(folder, inline=False)),
    "compass-inline": Entry(
        "Compass `--inline`", compass.SETTINGS_INLINE, lambda folder: _compass(folder, inline=True)
    ),
    "opencompass": Entry(
        "OpenCompass",
        opencompass.SETTINGS,
        lambda folder: nullcontext(opencompass.OpenCompass(install("opencompass", folder, first=["torch"]))),
    ),
    "inspect-ai": Entry(
        "inspect-ai",
        inspect_ai.SETTINGS,
        lambda folder: nullcontext(inspect_ai.InspectAI(install("inspect_ai", folder))),
    ),
    "lm-eval": Entry(
        "lm-eval", lm_eval.SETTINGS, lambda folder: nullcontext(lm_eval.LMEval(install("lm_eval", folder)))
    ),
    "evalscope": Entry(
        "evalscope", evalscope.SETTINGS, lambda folder: nullcontext(evalscope.EvalScope(install("evalscope", folder)))
    ),
}
