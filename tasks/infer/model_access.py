"""How the models of a run are reached in one process: by inference, and by scoring where a model is the judge."""

import threading
from collections import defaultdict
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from tasks.infer.budget import Spending, SpendingLimits
from tasks.infer.ledger.ledger import Ledger
from tasks.infer.ledger.shared_answers import SharedAnswers
from tasks.models.engines.model_server import served
from tasks.models.factory import ModelPool
from tasks.models.http.io_thread import IOThread
from tasks.models.interface import Backend
from tasks.spec.specs import ModelSpec
from tasks.spec.storage.run_folder import RunFolder


class ModelAccess:
    """The event loop, the backends, the servers that the run starts, what all runs share, and what may be spent."""

    def __init__(
        self,
        folder: RunFolder,
        *,
        search_path: Sequence[str] = (),
        cache: Path | None = None,
        limits: SpendingLimits | None = None,
    ) -> None:
        """`cache` is a folder where answers are kept for all runs; `limits` is what this run may spend."""
        self.io = IOThread()
        self.pool = ModelPool(tuple(search_path))
        self.spending = Spending(limits)
        self.interrupted = threading.Event()
        """Set when nothing more may be asked."""
        self._folder = folder
        self._shared = SharedAnswers(cache) if cache is not None else None
        self._served: dict[str, ModelSpec] = {}
        self._starting: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._servers = ExitStack()

    def backend(self, model: ModelSpec, per_second: float | None) -> Backend:
        """The model's backend, at its own server if it has one; NotAwaited if the run ends before that is ready."""
        return self.pool.backend(self._with_server(model), per_second)

    def shared_answers(self, model: ModelSpec, identity: str) -> Ledger | None:
        """The model's answers that all runs share; None without a cache."""
        return self._shared.of(model, identity) if self._shared is not None else None

    def close(self) -> None:
        """Closes connections, engines and files; nothing may be asked any more."""
        self.io.run(self.pool.close())
        self.io.close()
        self._servers.close()
        if self._shared is not None:
            self._shared.close()

    def _with_server(self, model: ModelSpec) -> ModelSpec:
        """The model at the address of its own server, which is started when it is asked for the first time."""
        if model.serve is None:
            return model
        # A judge may be a model that it judges, or have the name of one.
        key = model.model_copy(update={"written_type": ""}).model_dump_json()
        with self._starting[key]:
            if key not in self._served:
                log = self._folder.server_log(model.abbr)
                self._served[key] = self._servers.enter_context(served(model, log, stop=self.interrupted))
            return self._served[key]
