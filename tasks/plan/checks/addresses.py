"""Whether the addresses of services in a configuration are addresses at all."""

from collections.abc import Sequence
from dataclasses import replace

from tasks.models.engines.serve_options import with_port
from tasks.models.http.endpoints import EndpointPool, Limiters
from tasks.spec.finding_places import place_in
from tasks.spec.findings import Finding, UserError
from tasks.spec.names.type_loading import import_type
from tasks.spec.specs import ModelSpec

_ANY_PORT = 1
"""In place of the one that the run's own server will get."""


def check_addresses(models: Sequence[ModelSpec], search_path: tuple[str, ...]) -> list[Finding]:
    """A finding for each address that nothing can be asked at."""
    return [finding for model in models if model.is_api for finding in _findings(model, search_path)]


def _findings(model: ModelSpec, search_path: tuple[str, ...]) -> list[Finding]:
    try:
        key = getattr(import_type(model.type, search_path), "address_key", "")
    except UserError:  # told elsewhere
        return []
    written = model.arguments.get(key)
    if not isinstance(written, str | list | tuple):
        return []
    if model.serve is not None:
        written = with_port(written, _ANY_PORT)
    try:
        EndpointPool(written, Limiters(), key)
    except UserError as error:
        return [replace(finding, place=place_in(model, key)) for finding in error.findings]
    return []
