"""Loads the dataset that a configuration names."""

import inspect
import logging
import threading
import traceback
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from typing import Any

from tasks.data.disk_store import spooled
from tasks.data.fingerprint import fingerprints
from tasks.data.interface import LoadedDataset
from tasks.data.rows import RowIdentities, row_identities
from tasks.data.splits import check_columns, pick_splits
from tasks.spec.call_checks import check_arguments
from tasks.spec.finding_places import findings_at
from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.names.type_loading import import_type
from tasks.spec.secrets.scrubber import scrubbed
from tasks.spec.specs import DatasetSpec
from tasks.spec.storage.canonical import digest
from tasks.spec.storage.jsonable import jsonable

_logger = logging.getLogger(__name__)


def load_dataset(spec: DatasetSpec, search_path: Sequence[str] = ()) -> LoadedDataset:
    """Both splits of the dataset, `train_range` applied; own classes are imported from `search_path` as well.

    Raises UserError for what the user can fix: data that is absent or malformed, missing splits and columns.
    """
    with findings_at(spec.place):
        data = _load(spec, search_path)
        check_columns(data.test, spec.reader)
    return data


class DatasetCache:
    """Loads each dataset once per process; all methods may be called from any thread."""

    def __init__(self, search_path: Sequence[str] = ()) -> None:
        self._search_path = tuple(search_path)
        self._lock = threading.Lock()
        self._loaded: dict[str, Future[LoadedDataset]] = {}
        self._identities: dict[tuple[str, tuple[str, ...]], RowIdentities] = {}

    def load(self, spec: DatasetSpec) -> LoadedDataset:
        """As `load_dataset`; entries that read the same splits share them. A failure is not kept."""
        key = _source_key(spec)
        with self._lock:
            entry = self._loaded.get(key)
            first = entry is None
            if entry is None:
                entry = self._loaded[key] = Future()
        with findings_at(spec.place):
            if first:
                self._fill(key, entry, spec)
            data = entry.result()
            check_columns(data.test, spec.reader)
        return data

    def row_identities(self, spec: DatasetSpec) -> RowIdentities:
        """As `tasks.data.rows.row_identities`, computed once per content and set of columns."""
        data = self.load(spec)
        key = (data.fingerprint, spec.reader.input_columns)
        with self._lock:
            known = self._identities.get(key)
        if known is None:
            known = row_identities(spec, data)
            with self._lock:
                known = self._identities.setdefault(key, known)
        return known

    def _fill(self, key: str, entry: "Future[LoadedDataset]", spec: DatasetSpec) -> None:
        try:
            entry.set_result(_load(spec, self._search_path))
        except BaseException as error:  # noqa: BLE001 whoever waits for this entry must get the error
            with self._lock:
                del self._loaded[key]
            entry.set_exception(error)


def _source_key(spec: DatasetSpec) -> str:
    reader = spec.reader
    return digest([spec.type, jsonable(spec.arguments), reader.train_split, reader.test_split, reader.train_range])


def _load(spec: DatasetSpec, search_path: Sequence[str]) -> LoadedDataset:
    load = _load_method(import_type(spec.type, tuple(search_path)))
    check_arguments(load, spec.arguments, f"{spec.written_type}.load")
    train, test = pick_splits(_off_memory(_call(load, spec)), spec.reader)
    return LoadedDataset(train, test, *fingerprints(train, test))


def _off_memory(loaded: Any) -> Any:
    """What was loaded, with long lists of rows on disk: a run that plans many datasets holds all of them."""
    if isinstance(loaded, Mapping):
        kept = {id(split): _off_memory(split) for split in loaded.values()}
        return {name: kept[id(split)] for name, split in loaded.items()}
    try:
        return spooled(loaded) if isinstance(loaded, list) else loaded
    except OSError:  # the disk is full, so they stay where they are
        return loaded


def _load_method(dataset_class: Any) -> Callable[..., Any]:
    """`load` of the class, which may be a static, a class or an ordinary method."""
    method = inspect.getattr_static(dataset_class, "load", None)
    if method is None:
        raise UserError(
            Finding(f"{dataset_class.__qualname__} has no method load", remedy="derive it from BaseDataset")
        )
    if inspect.isfunction(method):
        return method.__get__(object.__new__(dataset_class))
    return dataset_class.load


def _call(load: Callable[..., Any], spec: DatasetSpec) -> Any:
    try:
        return load(**spec.arguments)
    except UserError:
        raise
    except FileNotFoundError as error:
        missing = error.filename or error
        raise UserError(
            Finding(
                f"{spec.written_type} found no data: {missing}",
                remedy="set COMPASS_DATA_CACHE to the folder that holds the data, or correct the path",
                kind=FindingKind.MACHINE,
            )
        ) from error
    except Exception as error:  # a loader is the user's code and may raise anything
        _logger.debug("%s.load failed", spec.written_type, exc_info=True)
        frame = traceback.extract_tb(error.__traceback__)[-1]
        reason = scrubbed(f"{type(error).__name__}: {error}", spec.arguments)
        raise UserError(
            Finding(
                f"{spec.written_type}.load failed: {reason}",
                remedy=f"raised at {frame.filename}:{frame.lineno}",
            )
        ) from error
