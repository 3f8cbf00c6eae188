"""The Prefect task around a shard: cached under the shard key, retried while that can help, visible while it runs."""

import asyncio
import re
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from contextvars import copy_context
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, cast
from uuid import UUID

from prefect import get_client, get_run_logger, task
from prefect.artifacts import create_progress_artifact, update_progress_artifact
from prefect.cache_policies import CacheKeyFnPolicy
from prefect.client.orchestration import PrefectClient
from prefect.client.schemas.actions import GlobalConcurrencyLimitCreate
from prefect.client.schemas.objects import State, TaskRun
from prefect.context import TaskRunContext
from prefect.exceptions import ObjectAlreadyExists, PrefectHTTPStatusError

from tasks.infer.part_manifests import PartManifest, finished_manifest
from tasks.infer.session import InferSession
from tasks.infer.shard_run import ShardFailed
from tasks.models.http.shared_rate import NoPermits, SharedRate, batch_of
from tasks.spec.findings import UserError
from tasks.spec.identity import endpoint_identity
from tasks.spec.shard import Shard
from tasks.spec.specs import ModelSpec
from tasks.spec.storage.printable import shown_name
from tasks.spec.storage.run_folder import Pair, RunFolder

_SECONDS_BETWEEN_UPDATES = 5.0


@dataclass(frozen=True)
class ShardWork:
    """A shard and the session that runs it; handed to the task as one opaque value that Prefect does not look into."""

    shard: Shard
    session: InferSession
    wait: Callable[[], list[PartManifest]] | None = None
    """Waits for the job of a cluster that runs it in the session's place."""


def _cache_key(_context: TaskRunContext, parameters: dict[str, Any]) -> str:
    return parameters["key"]


def _can_help(_task: Any, _run: TaskRun, state: State[Any]) -> bool:
    error = state.result(raise_on_failure=False)
    return not isinstance(error, UserError) and (not isinstance(error, ShardFailed) or error.retryable)


@task(
    name="infer_shard",
    retries=1,
    retry_delay_seconds=2,
    retry_jitter_factor=0.5,
    retry_condition_fn=_can_help,
    cache_policy=CacheKeyFnPolicy(cache_key_fn=_cache_key),
    persist_result=True,
    result_serializer="json",
    cache_result_in_memory=False,
)
def infer_shard(work: ShardWork, key: str) -> list[dict[str, Any]]:  # noqa: ARG001
    """Runs a shard; returns a manifest per part. `key` is the shard's, under which the result is cached."""
    logger, name = get_run_logger(), shown_name(work.shard.name)
    logger.info("%s: %d samples", name, work.shard.rows)
    work.session.models.rate_source = global_rate
    with _progress_artifact(work):
        manifests = work.wait() if work.wait else work.session.run(work.shard)
    logger.info("%s: done, %d without an answer", name, sum(manifest.errors for manifest in manifests))
    return [manifest.model_dump() for manifest in manifests]


def drop_stale_record(folder: RunFolder, shard: Shard) -> None:
    """Forgets a cached result whose files are gone, were changed, or hold samples without an answer."""
    pairs = ((Pair(shard.model.abbr, part.dataset.abbr), part) for part in shard.parts)
    if any(finished_manifest(folder.ledger(pair), part.key) is None for pair, part in pairs):
        (folder.cache / shard.key).unlink(missing_ok=True)


def manifests_of(result: list[dict[str, Any]]) -> list[PartManifest]:
    """The task's result as manifests."""
    return [PartManifest.model_validate(item) for item in result]


def global_rate(model: ModelSpec, per_second: float) -> SharedRate:
    """A rate that all runs on the same Prefect server keep together, for the same model at the same address."""
    return SharedRate(per_second, GlobalLimit(_limit_name(model, per_second), per_second))


class GlobalLimit:
    """Draws permits from a global concurrency limit of the server, which is made at the first draw unless it exists."""

    def __init__(self, name: str, per_second: float) -> None:
        self.name = name
        self._per_second = per_second
        self._client: PrefectClient | None = None
        self._most = 0
        """What the limit gives at once; whoever runs the server may have changed it."""

    async def __call__(self, count: int) -> None:
        """See `Draw`."""
        try:
            client = self._client or await self._open()
            for start in range(0, count, self._most):
                await self._occupy(client, min(self._most, count - start))
        except Exception as error:  # whatever the client raises when its server is gone
            raise NoPermits(f"the limit {self.name} of the Prefect server cannot be used: {error}") from error

    async def _occupy(self, client: PrefectClient, slots: int) -> None:
        # Prefect's own `rate_limit` waits in a thread that holds up the end of an interrupted run.
        while True:
            try:
                await client.increment_concurrency_slots([self.name], slots, mode="rate_limit")
            except PrefectHTTPStatusError as error:
                if error.response.status_code != HTTPStatus.LOCKED:
                    raise
                await asyncio.sleep(float(error.response.headers["Retry-After"]))
            else:
                return

    async def _open(self) -> PrefectClient:
        """A client for as long as the process lives; makes the limit unless it is there."""
        # Room for two batches: the server rounds down what has come back, and a full limit would stop everyone.
        wanted = GlobalConcurrencyLimitCreate(
            name=self.name, limit=2 * batch_of(self._per_second), slot_decay_per_second=self._per_second
        )
        client = await get_client().__aenter__()
        with suppress(ObjectAlreadyExists):
            await client.create_global_concurrency_limit(wanted)
        self._most = (await client.read_global_concurrency_limit_by_name(self.name)).limit
        self._client = client
        return client


def _limit_name(model: ModelSpec, per_second: float) -> str:
    """Tells the address by its hash; two rates, or two models at one address, are two limits."""
    served = re.sub(r"[^A-Za-z0-9._-]+", "-", str(model.arguments.get("path") or model.abbr))
    return f"compass-{endpoint_identity(model)[:12]}-{served}-{per_second:g}-per-second"


@contextmanager
def _progress_artifact(work: ShardWork) -> Generator[None]:
    """A bar on the task run's page, brought up to date every few seconds; its failure never is the shard's."""
    finished = threading.Event()

    def follow() -> None:
        with suppress(Exception):  # whatever the client raises when its server is gone, the shard goes on
            artifact = cast(UUID, create_progress_artifact(progress=0.0, description=shown_name(work.shard.name)))
            while not finished.wait(_SECONDS_BETWEEN_UPDATES):
                update_progress_artifact(artifact, progress=_percent(work))
            update_progress_artifact(artifact, progress=_percent(work))

    thread = threading.Thread(target=copy_context().run, args=(follow,), name="progress", daemon=True)
    thread.start()
    try:
        yield
    finally:
        finished.set()
        thread.join()


def _percent(work: ShardWork) -> float:
    done = sum(
        work.session.progress.part(Pair(work.shard.model.abbr, part.dataset.abbr), part.key).done
        for part in work.shard.parts
    )
    return 100.0 * done / work.shard.rows if work.shard.rows else 100.0
