"""What the shards of one process share: the event loop, the models, the datasets, the ledgers, the counters."""

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from tasks.data.interface import PlannedRow
from tasks.data.loading import DatasetCache
from tasks.data.rows import plan_rows
from tasks.infer.budget import SpendingLimits
from tasks.infer.inferencers.interface import Ask, Inferencer, Limits
from tasks.infer.ledger.ledger import Ledger
from tasks.infer.ledger.opencompass_predictions import adoptable_answers
from tasks.infer.model_access import ModelAccess
from tasks.infer.part_manifests import PartManifest, finished_manifest
from tasks.infer.part_run import PartRun, RequestKeys
from tasks.infer.progress import Progress
from tasks.infer.request_slots import SharedSlots
from tasks.infer.shard_run import PartSource, ShardFailed, ShardRun
from tasks.infer.task_log import work_log
from tasks.models.engines.model_server import NotAwaited
from tasks.models.factory import ModelPool
from tasks.models.interface import Backend
from tasks.prompts.renderer import PromptRenderer
from tasks.spec.findings import Finding, UserError
from tasks.spec.identity import RequestKeyer
from tasks.spec.names.type_loading import import_type
from tasks.spec.secrets.scrubber import scrubbed
from tasks.spec.shard import Shard, ShardPart
from tasks.spec.specs import DatasetSpec
from tasks.spec.storage.disk import disk_problem, is_disk_problem
from tasks.spec.storage.printable import shown_name
from tasks.spec.storage.run_folder import Pair, RunFolder

_log = logging.getLogger(__name__)
INTERRUPTED = "interrupted"
_GRACE_SECONDS = 2.0
"""How long requests in flight may still arrive after an interrupt."""


class InferSession(PartSource):
    """Runs shards; `run` may be called from several threads at once."""

    def __init__(
        self,
        folder: RunFolder,
        *,
        data: DatasetCache,
        progress: Progress,
        search_path: Sequence[str] = (),
        cache: Path | None = None,
        limits: SpendingLimits | None = None,
        concurrent_users: int | None = None,
    ) -> None:
        """`cache` is a folder where answers are kept for all runs; `limits` is what this run may spend.

        `concurrent_users` caps the requests in flight of all models together.
        """
        self.folder = folder
        self.part_finished: Callable[[Pair, PartManifest], None] = _nobody_waits
        """Called on the event loop for each part whose rows all have their answers."""
        self.progress = progress
        self.access = ModelAccess(folder, search_path=search_path, cache=cache, limits=limits)
        self.spending = self.access.spending
        self._data = data
        self._search_path = tuple(search_path)
        progress.limiter_states = self.models.limiter_states
        self._ledgers: dict[Pair, Ledger] = {}
        self._all_slots = asyncio.Semaphore(concurrent_users) if concurrent_users else None
        self._model_slots: dict[str, asyncio.Semaphore] = {}
        self._lock = threading.Lock()
        self._running: dict[ShardRun, asyncio.Task[list[PartManifest]]] = {}

    @property
    def models(self) -> ModelPool:
        return self.access.pool

    def run(self, shard: Shard) -> list[PartManifest]:
        """Runs the shard to its end and returns a manifest per part; ShardFailed says why it could not."""
        if self.access.interrupted.is_set():
            raise ShardFailed(INTERRUPTED, retryable=False)
        pairs = [Pair(shard.model.abbr, part.dataset.abbr) for part in shard.parts]
        first, *others = (self.folder.log("infer", pair) for pair in pairs)
        with work_log(first, tuple(path for path in dict.fromkeys(others) if path != first), shown_name(shard.name)):
            _log.info("%s: %d samples", shard.name, shard.rows)
            try:
                backend = self.access.backend(shard.model, shard.in_flight.query_per_second)
                return self.access.io.run(self._run(shard, backend))
            except NotAwaited:
                raise ShardFailed(INTERRUPTED, retryable=False) from None
            except (ShardFailed, UserError):
                raise
            except Exception as error:  # noqa: BLE001  # a backend of the user's own may raise anything
                if is_disk_problem(error):
                    raise ShardFailed(disk_problem(error), retryable=False, disk=True) from None
                _log.exception("%s failed", shard.name)
                reason = scrubbed(f"{type(error).__name__}: {error}", shard.model.arguments)
                raise ShardFailed(reason, retryable=True) from None

    def ledger(self, pair: Pair) -> Ledger:
        """The pair's ledger; opened once per process."""
        with self._lock:
            ledger = self._ledgers.get(pair)
            if ledger is None:
                ledger = self._ledgers[pair] = Ledger(self.folder.ledger(pair))
            return ledger

    def release(self, pair: Pair) -> None:
        """Closes the pair's ledger, which takes memory for every record, until it is asked for again."""
        with self._lock:
            ledger = self._ledgers.pop(pair, None)
        if ledger is not None:
            ledger.close()

    def interrupt(self) -> None:
        """Stops sending requests; those in flight may arrive for a moment, then every running shard ends."""
        self.access.interrupted.set()
        self.access.io.call_soon(self._halt_all)

    def close(self) -> None:
        """Closes connections, engines and files; no shard may be running."""
        self.access.close()
        for ledger in self._ledgers.values():
            ledger.close()

    async def open(self, shard: Shard, part: ShardPart, backend: Backend) -> PartRun | PartManifest:
        """See `PartSource.open`."""
        pair = Pair(shard.model.abbr, part.dataset.abbr)
        manifest = finished_manifest(self.folder.ledger(pair), part.key)
        if manifest is not None:
            counters = self.progress.begin(pair, part.key)
            counters.done = counters.reused = manifest.rows
            return manifest
        return await asyncio.to_thread(self._open, shard, part, pair, backend)

    def finished(self, shard: Shard, part: ShardPart, manifest: PartManifest) -> None:
        """See `PartSource.finished`."""
        self.part_finished(Pair(shard.model.abbr, part.dataset.abbr), manifest)

    def _open(self, shard: Shard, part: ShardPart, pair: Pair, backend: Backend) -> PartRun:
        data = self._data.load(part.dataset)
        if data.fingerprint != part.data_fingerprint:
            raise UserError(
                Finding(
                    f"{part.dataset.abbr}: the data differ from those the run was planned with",
                    part.dataset.place,
                    "start the run again: it is planned with the data that are there then",
                )
            )
        renderer = PromptRenderer(
            part.dataset,
            data,
            prompt_form=backend.prompt_form,
            meta_template=shard.model.meta_template,
            search_path=self._search_path,
            max_prompt_tokens=backend.max_seq_len,
            count_tokens=backend.count_tokens,
        )
        run = PartRun(
            part,
            pair,
            rows=plan_rows(part.dataset, data, part.limit)[part.start : part.stop],
            inferencer=build_inferencer(part.dataset, self._search_path),
            renderer=renderer,
            limits=Limits(shard.model.max_out_len, shard.model.min_out_len),
            keys=self._request_keys(shard, part.dataset),
            ledger=self.ledger(pair),
            counters=self.progress.begin(pair, part.key),
            adopted=adoptable_answers(self.folder, pair),
        )
        run.shared = self.access.shared_answers(shard.model, shard.model_identity)
        return run

    def _request_keys(self, shard: Shard, dataset: DatasetSpec) -> RequestKeys:
        identities = self._data.row_identities(dataset)
        keyer = RequestKeyer(shard.model_identity)

        def key(ask: Ask, planned: PlannedRow) -> str:
            return keyer(ask.request, ask.part, planned.repeat, identities[planned.row])

        return key

    async def _run(self, shard: Shard, backend: Backend) -> list[PartManifest]:
        run = ShardRun(shard, backend, self._slots(shard), self)
        task = asyncio.current_task()
        assert task is not None
        self._running[run] = task
        reporter = asyncio.create_task(self._log_progress(shard))
        try:
            by_kind = {
                scored: [p for p in shard.parts if _scores(p.dataset, self._search_path) is scored]
                for scored in (False, True)
            }
            manifests = {
                m.key: m for scored, parts in by_kind.items() if parts for m in await run.run(parts, scored=scored)
            }
            return [manifests[part.key] for part in shard.parts]
        except asyncio.CancelledError:
            if self.access.interrupted.is_set():
                raise ShardFailed(INTERRUPTED, retryable=False) from None
            raise
        finally:
            reporter.cancel()
            del self._running[run]

    async def _log_progress(self, shard: Shard) -> None:
        told: dict[str, int] = {}
        while True:
            await asyncio.sleep(shard.log_interval)
            counted = [self.progress.part(Pair(shard.model.abbr, p.dataset.abbr), p.key) for p in shard.parts]
            parts = list(zip(shard.parts, counted, strict=True))
            # A shard may have thousands of parts, most of which wait or are done.
            moving = [(p, c) for p, c in parts if 0 < c.done < p.rows or c.done != told.get(p.key, 0)]
            for part, counters in moving or parts[:1]:
                told[part.key] = counters.done
                _log.info("%s: %d/%d samples, %d errors", part.dataset.abbr, counters.done, part.rows, counters.errors)

    def _slots(self, shard: Shard) -> asyncio.Semaphore:
        limit = shard.in_flight.limit
        if shard.in_flight.scope == "task":
            return self._places(limit)
        if shard.model.abbr not in self._model_slots:
            self._model_slots[shard.model.abbr] = self._places(limit)
        return self._model_slots[shard.model.abbr]

    def _places(self, limit: int) -> asyncio.Semaphore:
        return asyncio.Semaphore(limit) if self._all_slots is None else SharedSlots(limit, self._all_slots)

    def _halt_all(self) -> None:
        for run, task in self._running.items():
            run.halt(INTERRUPTED)
            asyncio.get_running_loop().call_later(_GRACE_SECONDS, task.cancel)


def _nobody_waits(_pair: Pair, _manifest: PartManifest) -> None:
    """The default of `InferSession.part_finished`."""


def build_inferencer(dataset: DatasetSpec, search_path: Sequence[str | Path] = ()) -> Inferencer:
    """The inferencer that the dataset's configuration names."""
    options = dict(dataset.inferencer)
    factory: Callable[..., Inferencer] = import_type(options.pop("type"), tuple(map(str, search_path)))
    return factory(**options)


def _scores(dataset: DatasetSpec, search_path: Sequence[str]) -> bool:
    return bool(import_type(dataset.inferencer["type"], tuple(search_path)).scores)
