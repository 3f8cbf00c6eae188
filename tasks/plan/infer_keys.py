"""Options of a run that the configuration can set as well, in `infer`, under the names of their flags."""

from typing import Any

from pydantic import ValidationError

from tasks.plan.request import RunRequest
from tasks.spec.config.values import ConfigDict
from tasks.spec.findings import Finding, Place, UserError

KEYS = (
    *("fail_on_error", "offline", "length_range", "prefer", "cache", "limit"),
    "preflight",
    *("max_samples", "max_tokens", "max_cost", "max_minutes"),
)


def with_infer_keys(request: RunRequest, values: ConfigDict) -> tuple[RunRequest, ConfigDict]:
    """The request with what `infer` says and no flag does, and the configuration without these keys.

    UserError naming the place of a value that the option cannot have.
    """
    section = values.get("infer")
    if not isinstance(section, ConfigDict) or not set(KEYS) & set(section):
        return request, values
    defaults = RunRequest()
    given: dict[str, Any] = {
        key: section[key] for key in KEYS if key in section and getattr(request, key) == getattr(defaults, key)
    }
    rest = {key: value for key, value in section.items() if key not in KEYS}
    try:
        changed = RunRequest.model_validate({**dict(request), **given})
    except ValidationError as error:
        raise UserError([_finding(problem, section) for problem in error.errors(include_url=False)]) from None
    return changed, values | {"infer": section.with_values(rest)}


def _finding(problem: Any, section: ConfigDict) -> Finding:
    name = str(problem["loc"][0])
    place = section.place_of(name)
    return Finding(problem["msg"][:1].lower() + problem["msg"][1:], Place(place.file, place.line, f"infer.{name}"))
