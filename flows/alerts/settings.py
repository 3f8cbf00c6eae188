"""Where a run's messages go and how they are worded: from the request, the configuration and the environment."""

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, ValidationError

from blocks.notifications.events import EventKind
from blocks.notifications.lark import DEFAULT_FORM, LarkForm, LarkTarget
from blocks.notifications.posting import Target
from blocks.notifications.slack import SlackTarget, slack_findings
from blocks.notifications.templates import Templates, load_templates
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import RunPlan
from tasks.spec.findings import Finding, Place, UserError, nearest, problem_text
from tasks.spec.secrets.redaction import resolve_references

PLACEHOLDER = "YOUR_WEBHOOK_URL"
_LARK, _LARK_SECRET, _SLACK = "lark_bot_url", "lark_bot_secret", "slack_webhook_url"
_NOWHERE = Finding(
    "-l has nowhere to post to",
    remedy="set lark_bot_url or slack_webhook_url in the configuration or $LARK_BOT_URL or $SLACK_WEBHOOK_URL, "
    "or name a saved block: --notify NAME",
)


class AlertOptions(BaseModel):
    """The entry `alerts` of a configuration."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    blocks: tuple[str, ...] = ()
    """Saved blocks, `TYPE/NAME` or `NAME`."""
    form: LarkForm = DEFAULT_FORM
    """Form of the messages in Lark."""
    events: tuple[EventKind, ...] = tuple(EventKind)
    """What is told."""
    templates: dict[str, Any] | str | None = None
    """Changed templates, or a file with them."""


@dataclass(frozen=True)
class AlertSettings:
    """What is posted, and where."""

    targets: tuple[Target, ...]
    blocks: tuple[str, ...]
    """Names of saved blocks, which are targets too."""
    templates: Templates
    events: frozenset[EventKind]


def alert_settings(request: RunRequest, values: Mapping[str, Any]) -> AlertSettings:
    """The settings of a request that wants messages; UserError for what cannot be used."""
    options = _options(values.get("alerts") or {})
    targets: list[Target] = []
    blocks = list(request.notify)
    if request.lark:
        blocks += options.blocks
        if url := _address(values, _LARK, required=not blocks and not _given(values, _SLACK)):
            targets.append(LarkTarget(url, _given(values, _LARK_SECRET), options.form))
        if url := _address(values, _SLACK, required=False):
            targets.append(SlackTarget(url))
    templates = load_templates(options.templates)
    return AlertSettings(tuple(targets), tuple(dict.fromkeys(blocks)), templates, frozenset(options.events))


def alert_findings(plan: RunPlan) -> list[Finding]:
    """What stands in the way of the messages that the plan's request asks for."""
    try:
        settings = alert_settings(plan.request, plan.values)
    except UserError as error:
        return list(error.findings)
    return slack_findings() if any(isinstance(target, SlackTarget) for target in settings.targets) else []


def _options(entry: Mapping[str, Any]) -> AlertOptions:
    try:
        return AlertOptions.model_validate(dict(entry))
    except ValidationError as error:
        problem = error.errors(include_url=False)[0]
        place = Place(key=".".join(("alerts", *(str(part) for part in problem["loc"] if isinstance(part, str)))))
        name = str(problem["loc"][0])
        if problem["type"] == "extra_forbidden":
            raise UserError(Finding("this is no setting", place, nearest(name, AlertOptions.model_fields))) from None
        raise UserError(Finding(problem_text(problem), place)) from None


def _address(values: Mapping[str, Any], key: str, *, required: bool) -> str:
    """The address under the key; UserError if it is required and missing, or cannot be one."""
    address = _given(values, key)
    if not address and values.get(key) == PLACEHOLDER:
        remedy = f"export {key.upper()}=…, or write the address into the configuration"
        raise UserError(Finding("this is still the placeholder, and -l was given", Place(key=key), remedy))
    if not address and required:
        raise UserError(_NOWHERE)
    if address and (urlsplit(address).scheme not in ("http", "https") or not urlsplit(address).hostname):
        raise UserError(Finding("this is no web address", Place(key=key), "it begins with https://"))
    return address


def _given(values: Mapping[str, Any], key: str) -> str:
    """The value of the configuration, or that of the environment where it has none of its own."""
    value = values.get(key)
    if value in (None, "", PLACEHOLDER):
        return os.environ.get(key.upper(), "")
    return str(resolve_references(value))
