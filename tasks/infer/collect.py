"""Makes the predictions file of a pair: a projection of its ledger onto the rows that are planned now."""

import hashlib
import json
import logging
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import orjson

from tasks.data.interface import LoadedDataset, PlannedRow
from tasks.infer.asked_rows import write_asked_rows
from tasks.infer.inferencers.interface import Inferencer
from tasks.infer.ledger.ledger import Ledger
from tasks.infer.ledger.records import RequestRecord
from tasks.infer.lengths import with_lengths
from tasks.infer.part_manifests import PartManifest, forget_part, read_part
from tasks.infer.predictions_record import Collected, read_collected, write_collected
from tasks.models.interface import TokenCounter
from tasks.spec.specs import DatasetSpec
from tasks.spec.status import Status
from tasks.spec.storage.canonical import digest
from tasks.spec.storage.run_folder import Pair, RunFolder, replacing

_log = logging.getLogger(__name__)
_LEADING_BLANKS = re.compile(rb"(?m)^ +")


class CollectError(Exception):
    """The pair's answers do not cover its rows, so there is no predictions file."""


def collect(
    folder: RunFolder,
    pair: Pair,
    dataset: DatasetSpec,
    *,
    data: LoadedDataset,
    rows: Sequence[PlannedRow],
    manifests: Sequence[PartManifest],
    inferencer: Inferencer,
    open_ledger: Callable[[], Ledger],
    count_tokens: TokenCounter | None = None,
) -> Collected:
    """Writes `predictions/<model>/<dataset>.json` unless it is up to date; CollectError if a row has no record.

    With `count_tokens` the file tells how long prompts and answers are. `open_ledger` is called if there is need for
    it: to read it takes as long as all the rest of a resume.

    A part with such a row no longer counts as finished: the next run that resumes asks what it lacks.
    """
    manifests = sorted(manifests, key=lambda manifest: manifest.start)
    lengths = [f"lengths by {count_tokens.name}"] if count_tokens else []
    plan = digest([data.fingerprint, *(manifest.sha256 for manifest in manifests), *lengths])
    if known := _known(folder, pair, plan):
        return known
    covered = sum(manifest.rows for manifest in manifests)
    if covered != len(rows):
        raise CollectError(f"{pair.model}/{pair.dataset}: the parts have {covered} rows, {len(rows)} are planned")
    path = folder.predictions(pair)
    _set_foreign_file_aside(path)
    ledger = open_ledger()
    statuses: Counter[str] = Counter()
    errors: Counter[str] = Counter()

    def samples() -> Iterator[dict[str, Any]]:
        for planned, records in _answers(folder, pair, rows, manifests, ledger):
            gold = data.test[planned.row].get(dataset.reader.output_column) if dataset.reader.output_column else None
            sample = inferencer.sample(records, gold)
            statuses[sample["status"]] += 1
            if sample["status"] == Status.ERROR:
                errors[str(sample.get("error"))] += 1
            yield with_lengths(sample, count_tokens) if count_tokens else sample

    written = write_predictions(path, samples())
    stat = path.stat()
    main_error = errors.most_common(1)[0][0] if errors else ""
    collected = Collected(
        plan=plan,
        samples=written.samples,
        statuses=dict(statuses),
        main_error=main_error,
        size=stat.st_size,
        modified_ns=stat.st_mtime_ns,
        sha256=written.sha256,
    )
    write_asked_rows(folder, pair, dataset, data, rows)
    write_collected(folder, pair, collected)
    return collected


def _known(folder: RunFolder, pair: Pair, plan: str) -> Collected | None:
    """What the pair's predictions file holds, if it was made of the same parts and nothing happened to it."""
    known = read_collected(folder, pair)
    if known is None or known.plan != plan or known.errors:
        return None
    try:
        return known if known.state_of(folder.predictions(pair)) == "as written" else None
    except OSError:
        return None


def _answers(
    folder: RunFolder, pair: Pair, rows: Sequence[PlannedRow], manifests: Sequence[PartManifest], ledger: Ledger
) -> Iterator[tuple[PlannedRow, list[RequestRecord]]]:
    """The rows in order, each with its records; CollectError if one has none."""
    parts = ((manifest, keys) for manifest in manifests for keys in read_part(folder.ledger(pair), manifest))
    for planned, (manifest, keys) in zip(rows, parts, strict=True):
        records = _records(ledger, keys)
        if not records:
            forget_part(folder.ledger(pair), manifest)
            message = f"the answer of row {planned.position} is gone from the ledger; a resumed run asks it again"
            raise CollectError(f"{pair.model}/{pair.dataset}: {message}")
        yield planned, records


class Written(NamedTuple):
    """A predictions file as it was written."""

    samples: int
    sha256: str


def write_predictions(path: Path, samples: Iterator[dict[str, Any]]) -> Written:
    """Writes the samples as an object keyed "0", "1", …, under a temporary name first."""
    count, content = 0, hashlib.sha256()
    with replacing(path) as temporary, temporary.open("wb", buffering=1 << 20) as file:
        for piece in _pieces(samples):
            file.write(piece)
            content.update(piece)
            count += 1
    return Written(count - 1, content.hexdigest())


def _pieces(samples: Iterator[dict[str, Any]]) -> Iterator[bytes]:
    """The text of each sample with what stands before it, and one more for the end."""
    before, end = b"{", b"{}\n"
    for number, sample in enumerate(samples):
        yield before + b'\n    "%d": ' % number + _indented(sample)
        before, end = b",", b"\n}\n"
    yield end


def _indented(sample: dict[str, Any]) -> bytes:
    """JSON four blanks deep inside an object; strings hold no raw line breaks, so lines can be shifted as text."""
    try:
        data = orjson.dumps(sample, option=orjson.OPT_INDENT_2)
        return _LEADING_BLANKS.sub(lambda match: match[0] * 2, data).replace(b"\n", b"\n    ")
    except TypeError:
        text = json.dumps(sample, ensure_ascii=False, indent=4, default=str)
        return text.encode("utf-8", "backslashreplace").replace(b"\n", b"\n    ")


def _records(ledger: Ledger, keys: Sequence[str]) -> list[RequestRecord]:
    """The records of a row; none if any is missing."""
    records = [ledger.get(key) for key in keys]
    return [] if None in records else [record for record in records if record is not None]


def _set_foreign_file_aside(path: Path) -> None:
    """Keeps a predictions file that another system wrote: ours must not replace what we did not make."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        head = file.read(1 << 20)
    if b'"status":' not in head:
        kept = path.with_name(f"{path.name}.bak")
        os.replace(path, kept)
        _log.warning("%s was not written by this system; it is kept as %s", path, kept.name)
