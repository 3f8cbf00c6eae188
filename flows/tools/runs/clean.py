"""`compass clean`: frees the disk of what a finished run no longer needs."""

import argparse
import shutil
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

import humanize

from flows.output.console import out, say
from flows.tools.runs.run_choice import add_run_arguments, chosen_run
from flows.tools.runs.status import read_status
from tasks.infer import asked_rows
from tasks.infer import predictions_record as collected
from tasks.spec.storage.run_folder import Pair, RunFolder, exclusive


def main(argv: Sequence[str]) -> int:
    """Removes ledgers of finished pairs and caches; predictions, results, logs and summaries stay."""
    parser = argparse.ArgumentParser(
        prog="compass clean",
        description="Removes the ledgers of finished pairs, and caches. Predictions, results, logs and summaries stay; "
        "a later change of the prompts would have to ask everything again.",
    )
    add_run_arguments(parser)
    parser.add_argument("--all", action="store_true", help="ledgers of unfinished pairs too: their answers are lost")
    parser.add_argument("--dry-run", action="store_true", help="only say what would be removed")
    arguments = parser.parse_args(argv)
    folder = chosen_run(arguments)
    with exclusive(folder):
        removed = 0
        for path in _removable(folder, everything=arguments.all):
            content = [entry for entry in path.iterdir() if entry.name not in (collected.FILE, asked_rows.FILE)]
            if not content:
                continue
            size = sum(map(_size, content))
            removed += size
            out.print(f"{humanize.naturalsize(size):>12}  {path.relative_to(folder.root)}", markup=False)
            if not arguments.dry_run:
                for entry in content:
                    _remove(entry)
                with suppress(OSError):  # not empty
                    path.rmdir()
    say(f"{'would free' if arguments.dry_run else 'freed'} {humanize.naturalsize(removed)} in {folder.root}")
    return 0


def _removable(folder: RunFolder, *, everything: bool) -> Iterator[Path]:
    finished = {Pair(status.model, status.dataset) for status in read_status(folder) if status.infer == "done"}
    for stage in ("predictions", "results"):
        for ledger in sorted((folder.root / stage).glob("*/.ledger/*")):
            pair = Pair(ledger.parent.parent.name, ledger.name)
            if everything or pair in finished:
                yield ledger
    if folder.cache.is_dir():
        yield folder.cache


def _size(path: Path) -> int:
    return sum(file.stat().st_size for file in (path, *path.rglob("*")) if file.is_file())


def _remove(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink()
