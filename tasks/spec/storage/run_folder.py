"""The run folder: where each file of a run lies. Stages speak to each other only through it."""

import fcntl
import glob
import hashlib
import json
import os
import re
import socket
from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from pathlib import Path
from typing import Any, NamedTuple

from tasks.spec.findings import Finding, UserError
from tasks.spec.storage.json_text import parse_json

_OF_JUDGES = re.compile(r"_(judged|summarized)-by--")
"""In the names of folders with what judges said of a model's answers, or of two models'."""
_SAID = re.compile(r"_(llm_judge_)?replica\d+$")
"""At the end of the names of files with what a judge said of one pass over a dataset's rows."""
_NOT_IN_NAMES = re.compile(r"[/\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_LONGEST_NAME = 200
"""Bytes; file systems take 255, and what is made of a name adds to it."""
_TEMPORARY = re.compile(r"\..+\.\d+\.tmp", re.DOTALL)
_TIMESTAMP = re.compile(r"\d{8}_\d{6}(_\d+)?")


class Pair(NamedTuple):
    """One model and one dataset, by their abbreviations."""

    model: str
    dataset: str


class RunFolder(NamedTuple):
    """Paths below `<work_dir>/<timestamp>`; abbreviations never leave their folder."""

    root: Path

    @property
    def name(self) -> str:
        return self.root.name

    @property
    def configs(self) -> Path:
        return self.root / "configs"

    @property
    def summary(self) -> Path:
        return self.root / "summary"

    @property
    def run_file(self) -> Path:
        """Format and package versions, command, data fingerprints, Prefect flow-run ids."""
        return self.root / "run.json"

    @property
    def cache(self) -> Path:
        """Prefect's records of finished tasks."""
        return self.root / ".cache"

    def saved_config(self) -> Path | None:
        """The effective configuration of the newest invocation; None if none was saved."""
        saved = sorted(self.configs.glob("*.py"), key=lambda path: (path.stat().st_mtime_ns, path.name))
        return saved[-1] if saved else None

    def predictions(self, pair: Pair) -> Path:
        return self.root / "predictions" / safe_name(pair.model) / f"{safe_name(pair.dataset)}.json"

    def ledger(self, pair: Pair) -> Path:
        """Folder of the append-only files that hold every answer of the pair."""
        return self.root / "predictions" / safe_name(pair.model) / ".ledger" / safe_name(pair.dataset)

    def judge_ledger(self, pair: Pair, judge: str) -> Path:
        return self.root / "results" / safe_name(pair.model) / ".ledger" / safe_name(pair.dataset) / safe_name(judge)

    def results(self, pair: Pair) -> Path:
        return self.root / "results" / safe_name(pair.model) / f"{safe_name(pair.dataset)}.json"

    def scored(self, folder: str | None = None) -> list[Path]:
        """The results files of all pairs, or of those in a model's folder, sorted; what judges said is left out."""
        return [
            path
            for path in sorted((self.root / "results").glob(f"{glob.escape(folder) if folder else '*'}/*.json"))
            if not _OF_JUDGES.search(path.parent.name) and not _SAID.search(path.stem)
        ]

    def log(self, stage: str, pair: Pair) -> Path:
        """`stage` is `infer` or `eval`."""
        return self.root / "logs" / stage / safe_name(pair.model) / f"{safe_name(pair.dataset)}.out"

    def server_log(self, model: str) -> Path:
        """Output of a server that the run starts for a model."""
        return self.root / "logs" / "serve" / f"{safe_name(model)}.log"

    def state(self, stage: str, pair: Pair) -> Path:
        """How far the pair is in `infer` or `eval`, and why it failed if it did."""
        return self.root / f"{stage}_status" / safe_name(pair.model) / f"{safe_name(pair.dataset)}.json"


def safe_name(abbr: str) -> str:
    """The abbreviation as one file-name component that every file system takes: short, without control characters."""
    name = _NOT_IN_NAMES.sub("_", abbr)
    data = name.encode()
    if len(data) > _LONGEST_NAME:
        name = f"{data[: _LONGEST_NAME - 13].decode(errors='ignore')}-{hashlib.sha256(data).hexdigest()[:12]}"
    return f"_{name}" if name == "" or name.startswith(".") else name


def timestamp() -> str:
    """Now, as run folders are named."""
    return datetime.now().strftime("%Y%m%d_%H%M%S")


def create_run_folder(work_dir: Path) -> RunFolder:
    """A new folder named after the current second; two in one second get `_1`, `_2`, …

    UserError where something else than a folder is in the way.
    """
    name, suffix = timestamp(), 0
    try:
        work_dir.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        message = f"runs cannot be written to {work_dir}: a part of this path is a file"
        raise UserError(Finding(message, remedy="name another folder (-w, or work_dir in the configuration)")) from None
    while True:
        root = work_dir / (f"{name}_{suffix}" if suffix else name)
        try:
            root.mkdir()
        except FileExistsError:
            suffix += 1
        else:
            return RunFolder(root)


def find_run_folder(work_dir: Path, reuse: str) -> RunFolder:
    """The folder `--reuse` names; `latest` is the last by name among folders named as timestamps.

    Raises UserError if there is none.
    """
    present = run_names(work_dir)
    if reuse == "latest" and present:
        return RunFolder(work_dir / present[-1])
    if reuse != "latest" and Path(reuse).name == reuse and (work_dir / reuse).is_dir():
        return RunFolder(work_dir / reuse)
    what = "no run" if reuse == "latest" else f"no run {reuse!r}"
    raise UserError(Finding(f"there is {what} in {work_dir}", remedy=_where_runs_are(work_dir, present)))


def _where_runs_are(work_dir: Path, present: Sequence[str]) -> str:
    if present:
        return f"the newest are {', '.join(reversed(present[-3:]))}"
    try:
        beside = [folder for folder in sorted(work_dir.parent.iterdir()) if run_names(folder)]
    except OSError:
        beside = []
    if beside:
        return f"there are runs in {', '.join(map(str, beside[:3]))}: -w names the folder"
    return "-w names the folder of the runs; one is started without --reuse"


def run_names(work_dir: Path) -> list[str]:
    """Names of the run folders in `work_dir`, oldest first."""
    if not work_dir.is_dir():
        return []
    return sorted((e.name for e in os.scandir(work_dir) if _TIMESTAMP.fullmatch(e.name) and e.is_dir()), key=_age)


def _age(name: str) -> tuple[str, int]:
    date, time, *suffix = name.split("_")
    return f"{date}_{time}", int(suffix[0]) if suffix else 0


@contextmanager
def exclusive(folder: RunFolder) -> Generator[None]:
    """Holds the run folder for this process; UserError naming the holder if another has it. Dies with the process."""
    path = folder.root / ".lock"
    with path.open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            file.seek(0)
            holder = file.read().strip() or "another process"
            remedy = "wait for it, or start a new run without --reuse"
            raise UserError(Finding(f"the run folder {folder.root} is in use by {holder}", remedy=remedy)) from None
        file.seek(0)
        file.truncate()
        file.write(f"process {os.getpid()} on {socket.gethostname()}")
        file.flush()
        yield


@contextmanager
def replacing(path: Path) -> Generator[Path]:
    """Where to write what takes the place of `path` after the block; readers see the old file or the whole new one.

    The file is there already, and held: `remove_leftovers` leaves it alone while this process lives.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        with temporary.open("wb") as held:
            with suppress(OSError):  # a file system without locks: what a killed writer leaves there stays
                fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield temporary
            os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def remove_leftovers(folder: RunFolder) -> None:
    """Removes what killed processes, of any machine, were writing in place of other files."""
    for parent, _, names in os.walk(folder.root):
        for name in filter(_TEMPORARY.fullmatch, names):
            path = Path(parent, name)
            with suppress(OSError), path.open("ab") as file:  # in use, gone, or not ours to remove
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                path.unlink()


def write_atomically(path: Path, data: bytes | bytearray) -> None:
    """Readers see the old file or the whole new one."""
    with replacing(path) as temporary:
        temporary.write_bytes(data)


def write_json(path: Path, value: Any) -> None:
    """Writes readable JSON atomically; lone surrogates survive as escapes."""
    write_atomically(path, json.dumps(value, ensure_ascii=False, indent=4).encode("utf-8", "backslashreplace"))


def read_json(path: Path) -> Any:
    """The content of a JSON file; OSError or ValueError if there is none."""
    return parse_json(path.read_bytes())
