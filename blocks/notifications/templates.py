"""The wording of messages: data that users can change."""

import string
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from blocks.notifications.events import EventKind
from tasks.spec.findings import Finding, Place, UserError, nearest

_NAMES = frozenset(
    {"run", "user", "host", "folder", "pairs", "models", "datasets", "done", "failed", "names", "path", "error"}
)
_SHIPPED = Path(__file__).with_name("templates.toml")


class Template(BaseModel):
    """How an event is told; `templates.toml` says what the texts may name."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    title: str
    failed_title: str = ""
    lines: tuple[str, ...] = ()
    each: str = "$name: $reason"
    more: str = "… and $more more"
    log: bool = False

    @field_validator("title", "failed_title", "lines", "each", "more")
    @classmethod
    def _names_what_there_is(cls, value: str | tuple[str, ...]) -> str | tuple[str, ...]:
        known = _NAMES | {"name", "reason", "more"}
        for text in (value,) if isinstance(value, str) else value:
            template = string.Template(text)
            if not template.is_valid():
                raise ValueError("a $ that names nothing is written $$")
            for name in template.get_identifiers():
                if name not in known:
                    raise ValueError(f"${name} is unknown; {nearest(name, known) or 'see docs/alerts.md'}")
        return value


Templates = Mapping[EventKind, Template]


def load_templates(changes: Mapping[str, Any] | str | None = None) -> Templates:
    """The shipped templates with the user's changes, or those of the user's file; UserError for what cannot be used."""
    entries = _read(_SHIPPED)
    place = Place(key="alerts.templates")
    if isinstance(changes, str):
        place = Place(file=changes)
        changes = _read(Path(changes).expanduser())
    for name, entry in (changes or {}).items():
        if name not in entries or not isinstance(entry, Mapping):
            raise UserError(Finding(f"there is no event {name!r} to word", place, nearest(name, entries)))
        entries[name] = {**entries[name], **entry}
    return {EventKind(name): _template(name, entry, place) for name, entry in entries.items()}


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise UserError(Finding(f"the templates cannot be read: {error}", Place(file=str(path)))) from None


def _template(name: str, entry: Any, place: Place) -> Template:
    try:
        return Template.model_validate(entry)
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        where = ".".join(map(str, (name, *problem["loc"])))
        raise UserError(Finding(f"{where}: {problem['msg']}", place)) from None
