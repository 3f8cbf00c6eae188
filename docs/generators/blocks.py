"""The page of blocks and work pools."""

from enum import Enum
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from docs.generators.arguments import summary_of
from docs.generators.markdown import code, page, table

_HOW = (
    "`prefect block register -m blocks` registers the blocks with a server: "
    "[clusters](../clouds.md#saved-clusters), "
    "[notifications](../alerts.md#saved-prefect-blocks), [stations](../station.md#passwords). "
    "Work pools of these types run [whole runs as jobs](../clouds.md#whole-runs-as-jobs)."
)


def blocks_page() -> str:
    """Blocks and types of work pools; shared fields come first."""
    from prefect.workers.base import BaseVariables

    from blocks.clusters.block import _RunnerBlock
    from blocks.clusters.pool_form import PoolVariables
    from blocks.clusters.worker import WORKERS
    from blocks.prefect_collection import TYPES

    saved = {name: TYPES[name] for name in sorted(TYPES) if name not in WORKERS}
    forms: dict[Any, Any] = {WORKERS[name]: WORKERS[name].job_configuration_variables for name in sorted(WORKERS)}
    runner, pool = _RunnerBlock, PoolVariables
    return page(
        "Blocks and work pools",
        _HOW,
        "## Blocks",
        _section("All cluster blocks", "", runner, BaseModel),
        *(_section(f"{name}: {thing._block_type_name}", summary_of(thing), thing, _shared(thing, runner))
          for name, thing in saved.items()),
        "## Work pools",
        _section("All work pools", "", pool, BaseVariables),
        *(_section(f"Type {thing.type}", summary_of(thing), form, pool) for thing, form in forms.items()),
    )  # fmt: skip


def _shared(thing: type[BaseModel], runner: type[BaseModel]) -> type[BaseModel]:
    return runner if issubclass(thing, runner) else BaseModel


def _section(title: str, summary: str, form: type[BaseModel], base: type[BaseModel]) -> str:
    """The fields that the base does not have."""
    rows = [
        (code(name), code(_default(field)), field.description or "")
        for name, field in form.model_fields.items()
        if name not in base.model_fields
    ]
    return "\n\n".join(part for part in (f"### {title}", summary, table(("field", "default", ""), rows)) if part)


def _default(field: Any) -> str:
    if field.is_required():
        return ""
    value = field.get_default(call_default_factory=True)
    if hasattr(value, "get_secret_value"):
        value = value.get_secret_value()
    return repr(value.value if isinstance(value, Enum) else str(value) if isinstance(value, Path) else value)
