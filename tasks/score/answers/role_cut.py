"""Cuts a base model's text down to what one role of its meta template says (`eval_cfg.pred_role`)."""

from typing import Any

from tasks.spec.specs import DatasetSpec, ModelSpec


def cut_to_role(text: Any, model: ModelSpec, dataset: DatasetSpec) -> Any:
    """The part between the begin and the end string of `pred_role`; what API models say stays as it is."""
    role = _role(model, dataset.eval_cfg.get("pred_role"))
    if isinstance(text, list):
        return [cut_to_role(item, model, dataset) for item in text]
    if role is None or not isinstance(text, str):
        return text
    begin, end = _mark(role.get("begin")), _mark(role.get("end"))
    if begin and begin in text:
        text = text.split(begin, 1)[1]
    return text.split(end, 1)[0] if end else text


def _role(model: ModelSpec, name: str | None) -> dict[str, Any] | None:
    if not name or model.is_api or not isinstance(model.meta_template, dict):
        return None
    roles = [*model.meta_template.get("round", []), *model.meta_template.get("reserved_roles", [])]
    return next((role for role in roles if isinstance(role, dict) and role.get("role") == name), None)


def _mark(value: Any) -> str:
    """A begin or end string, if it is one that can be looked for: neither token ids nor blanks alone."""
    return value.strip() if isinstance(value, str) else ""
