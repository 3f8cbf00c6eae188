"""Builds the backends that a run's model entries name, and lets them share what they must share."""

import inspect
import threading
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Protocol, runtime_checkable
from urllib.parse import urlsplit

from tasks.models.engines.gpu_allocation import GpuTurn, Placement
from tasks.models.engines.machine_gpus import visible_gpus
from tasks.models.http.endpoints import Limiters
from tasks.models.http.limiter import LimiterState, Rate
from tasks.models.interface import Backend, TokenSource
from tasks.spec.call_checks import check_arguments
from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.names.type_loading import import_type
from tasks.spec.secrets.redaction import resolve_references, secret_environment
from tasks.spec.specs import ModelSpec


@runtime_checkable
class SharesEndpoints(Protocol):
    """A backend that asks services over a network, where others may be asking too."""

    def bind(self, limiters: Limiters, rate: TokenSource | None) -> None: ...


@runtime_checkable
class KeepsSecrets(Protocol):
    """A backend whose service may repeat what it was sent, in an error for example."""

    def hide(self, secrets: Iterable[str]) -> None: ...


@runtime_checkable
class UsesGpus(Protocol):
    """A backend that runs its model on GPUs of this machine."""

    def place(self, groups: Sequence[Sequence[str]], turn: GpuTurn | None = None) -> None: ...


class RateSource(Protocol):
    """Where a model's permits come from, for a limit of so many requests per second."""

    def __call__(self, model: ModelSpec, per_second: float, /) -> TokenSource: ...


def build_backend(spec: ModelSpec, search_path: Sequence[str | Path] = ()) -> Backend:
    """The backend of one model entry, with its keys resolved; UserError naming the entry if it cannot be built."""
    model_class = import_type(spec.type, tuple(search_path))
    if not (inspect.isclass(model_class) and issubclass(model_class, Backend)):
        remedy = "derive it from tasks.models.interface.Backend"
        raise UserError(Finding(f"{spec.written_type} is not a model class", spec.place, remedy))
    check_arguments(model_class, spec.arguments, f"the model {spec.abbr!r} ({model_class.__name__})")
    try:
        backend = model_class(**resolve_references(spec.arguments))
    except UserError as error:
        raise _placed(error, spec) from error
    if isinstance(backend, KeepsSecrets):
        backend.hide(secret_environment(spec.arguments).values())
    return backend


class ModelPool:
    """The backends of one process: one for each model, one limiter for each endpoint; usable from any thread."""

    def __init__(self, search_path: Sequence[str | Path] = (), rate_source: RateSource | None = None) -> None:
        self._search_path = tuple(search_path)
        self.rate_source: RateSource = rate_source or _own_rate
        """Where the permits of models come from that are asked for the first time from now on."""
        self.placement = Placement()
        """How models are put on GPUs that are asked for the first time from now on."""
        self._limiters = Limiters()
        self._gpu_turn = GpuTurn()
        self._specs: dict[str, ModelSpec] = {}
        self._backends: dict[str, Backend] = {}
        self._lock = threading.Lock()

    def backend(self, spec: ModelSpec, per_second: float | None = None) -> Backend:
        """The model's backend, built at the first call for it; asked at most `per_second` times a second."""
        with self._lock:
            key = self._key(spec)
            backend = self._backends.get(key)
            if backend is None:
                backend = build_backend(spec, self._search_path)
                if isinstance(backend, SharesEndpoints):
                    backend.bind(self._limiters, self.rate_source(spec, per_second) if per_second else None)
                if isinstance(backend, UsesGpus):
                    groups = self.placement.groups(visible_gpus(), spec.num_gpus)
                    backend.place(groups, self._gpu_turn if spec.num_gpus else None)
                self._backends[key] = backend
            return backend

    def _key(self, spec: ModelSpec) -> str:
        """The model's name; with a number where another model has it, as a judge and a model that it judges may."""
        spec = spec.model_copy(update={"place": Place(), "written_type": ""})
        key, number = spec.abbr, 1
        while self._specs.setdefault(key, spec) != spec:
            number += 1
            key = f"{spec.abbr} ({number})"
        return key

    def limiter_states(self) -> list[LimiterState]:
        """One for each endpoint that a model of this pool asks; from any thread."""
        limiters = list(self._limiters.by_address.items())
        return [limiter.state(urlsplit(address).netloc) for address, limiter in limiters]

    async def close(self) -> None:
        """Closes every backend; on the loop they were used on."""
        for backend in self._backends.values():
            await backend.close()


def _own_rate(_: ModelSpec, per_second: float) -> TokenSource:
    return Rate(per_second)


def _placed(error: UserError, spec: ModelSpec) -> UserError:
    """The findings with the entry of the configuration they are about."""
    findings: list[Finding] = []
    for finding in error.findings:
        place = replace(spec.place, key=finding.place.key or spec.place.key)
        findings.append(Finding(f"model {spec.abbr!r}: {finding.message}", place, finding.remedy, finding.kind))
    return UserError(findings)
