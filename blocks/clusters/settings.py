"""The settings of a runner, declared once: its class, its block and the form of its work pools are made of them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, dataclass, field, fields
from typing import Any, get_origin, get_type_hints

from pydantic import Field


@dataclass(frozen=True)
class Scheduler:
    """How people call the scheduler of a runner."""

    name: str
    """Names its block and its type of work pools, e.g. `Slurm`."""
    about: str
    """What it is, e.g. `A Slurm cluster`."""
    jobs: str = ""
    """What runs a flow run there, e.g. `a Slurm batch job`; empty: it has no work pools."""


def setting(
    about: str, default: Any = MISSING, *, of_run: bool = False, is_secret: bool = False, **limits: float
) -> Any:
    """A field of a runner that its block has as well; its work pools too, unless it is about the tasks of a run.

    `limits` are pydantic's, e.g. `ge=1`.
    """
    metadata = {"about": about, "of_run": of_run, "is_secret": is_secret, "limits": limits}
    if isinstance(default, dict):
        return field(default_factory=dict[str, Any], metadata=metadata)
    return field(default=default, metadata=metadata)


def block_fields(runner: type[Any], secret: type[Any]) -> dict[str, tuple[Any, Any]]:
    """Types and pydantic fields of the runner's block; `secret` is the type of mappings that may hold secrets."""
    made: dict[str, tuple[Any, Any]] = {}
    for item, kind in _settings(runner):
        is_secret = item.metadata["is_secret"]
        default = ... if _is_required(item) else secret({}) if is_secret else _default(item)
        made[item.name] = (secret if is_secret else kind, _field(item, default))
    return made


def pool_fields(runner: type[Any]) -> dict[str, tuple[Any, Any]]:
    """As `block_fields`, for the form of its work pools: whoever makes one may leave everything out at first."""
    settings = [(item, kind) for item, kind in _settings(runner) if not item.metadata["of_run"]]
    return {
        item.name: (kind, _field(item, (get_origin(kind) or kind)() if _is_required(item) else _default(item)))
        for item, kind in settings
    }


def _settings(runner: type[Any]) -> Iterator[tuple[Any, Any]]:
    """Fields made by `setting`, with types that pydantic reads back as they were written."""
    hints = get_type_hints(runner)
    for item in fields(runner):
        if "about" in item.metadata:
            origin, kind = get_origin(hints[item.name]), hints[item.name]
            yield item, dict[str, Any] if origin is Mapping else tuple[str, ...] if origin is Sequence else kind


def _is_required(item: Any) -> bool:
    return item.default is MISSING and item.default_factory is MISSING


def _default(item: Any) -> Any:
    return item.default if item.default_factory is MISSING else item.default_factory()


def _field(item: Any, default: Any) -> Any:
    return Field(default, description=item.metadata["about"], **item.metadata["limits"])
