"""What the ledger holds: one record per finished request."""

from dataclasses import dataclass, replace
from typing import Any, Literal, cast

from tasks.models.interface import Completion, Likelihood, Usage
from tasks.spec.chat import Prompt
from tasks.spec.status import Status


@dataclass(frozen=True, slots=True)
class RequestRecord:
    """One request with its outcome."""

    key: str
    """Request key, 64 hex digits."""
    kind: Literal["generate", "loglikelihood"]
    part: str
    """Which request of its sample: a label of a ppl sample, `round 2` of a dialogue, or empty."""
    prompt: Prompt
    result: Completion | Likelihood
    examples: tuple[int, int] | None = None
    """Where the in-context examples stand in a scored prompt, in characters; None if there are none."""

    def to_json(self) -> dict[str, Any]:
        """As it stands in the ledger; absent fields have their default."""
        result = self.result
        data: dict[str, Any] = {"key": self.key, "kind": self.kind, "prompt": self.prompt, "status": str(result.status)}
        if self.part:
            data["part"] = self.part
        if self.examples is not None:
            data["examples"] = list(self.examples)
        if isinstance(result, Likelihood):
            data |= {"log_likelihood": result.log_likelihood, "tokens": result.tokens}
            data |= _given(token_log_probabilities=result.token_log_probabilities)
        else:
            data["texts"] = list(result.texts)
            data |= _given(finish_reason=result.finish_reason, reasoning=result.reasoning, note=result.note)
            data |= _given(usage=usage_json(result.usage) or None)
        data |= {"latency": round(result.latency, 4), "attempts": result.attempts}
        return data | _given(error=result.error)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "RequestRecord":
        """The record of one ledger line; KeyError, TypeError or ValueError if the line is not one."""
        check_record(data)
        status = Status(data["status"])
        common: dict[str, Any] = {"latency": data["latency"], "attempts": data["attempts"], "error": data.get("error")}
        result: Completion | Likelihood
        if data["kind"] == "loglikelihood":
            tokenwise = data.get("token_log_probabilities")
            result = Likelihood(status, data["log_likelihood"], data["tokens"], **common)
            if tokenwise is not None:
                result = replace(result, token_log_probabilities=tuple(tokenwise))
        else:
            usage = _usage(data.get("usage"))
            result = Completion(
                status,
                tuple(data["texts"]),
                data.get("finish_reason"),
                data.get("reasoning"),
                usage,
                note=data.get("note"),
                **common,
            )
        examples = tuple(data["examples"]) if "examples" in data else None
        return cls(data["key"], data["kind"], data.get("part", ""), data["prompt"], result, examples)


def check_record(data: Any) -> None:
    """KeyError, TypeError or ValueError unless the values of a ledger line have the types of a record."""
    if data["kind"] == "loglikelihood":
        sound = isinstance(data["log_likelihood"], int | float) and isinstance(data["tokens"], int)
    else:
        sound = bool(data["texts"]) and all(isinstance(text, str) for text in data["texts"])
    sound = sound and isinstance(data["latency"], int | float) and isinstance(data["attempts"], int)
    sound = sound and isinstance(data["key"], str) and isinstance(data["prompt"], str | list)
    if not sound or not isinstance(data.get("examples", []), list):
        raise ValueError("a value of the record has the wrong type")
    Status(data["status"])


def _usage(counts: Any) -> Usage:
    known: dict[str, Any] = cast(dict[str, Any], counts) if isinstance(counts, dict) else {}
    return Usage(*(known[name] if isinstance(known.get(name), int) else None for name in Usage.__slots__))


def usage_json(usage: Usage) -> dict[str, int]:
    """The counts that are known."""
    return _given(**{name: getattr(usage, name) for name in Usage.__slots__})


def _given(**fields: Any) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}
