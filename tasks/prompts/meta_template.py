"""The model's side of a dialogue: its roles, and what stands around what they say."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

from tasks.prompts.interface import Dialogue, Section, Turn
from tasks.spec.findings import Finding, Place, UserError, nearest

_KEYS = ("round", "reserved_roles", "begin", "end", "eos_token_id")
_ROLE_KEYS = ("role", "begin", "end", "prompt", "generate", "api_role")
_PLACE = Place(key="meta_template")


@dataclass(frozen=True, slots=True)
class Role:
    """One role of the meta template with its default texts."""

    name: str
    begin: str = ""
    prompt: str = ""
    end: str = ""
    generate: bool = False
    """Whether this role is the model."""
    api_role: str | None = None


class Spoken(NamedTuple):
    """What a role says at its turn, defaults overlaid with what the dataset gives."""

    role: Role
    begin: str
    prompt: str
    end: str
    is_open: bool = False
    """Whether the model speaks here: its answer begins after `begin`."""

    @property
    def text(self) -> str:
        return self.begin + self.prompt + self.end


@dataclass(frozen=True)
class MetaTemplate:
    """Roles in the order in which they speak within a round, and those that speak outside of rounds."""

    round: tuple[Role, ...]
    reserved: tuple[Role, ...] = ()
    begin: str | Mapping[str, Any] = ""
    end: str = ""
    speaks_defaults: bool = True
    """Whether a role that a round of the dataset leaves out says its default text."""

    def speak(self, dialogue: Dialogue, generating: bool) -> Iterator[Spoken | str]:
        """Everything that is said, in order; loose text as it is.

        When `generating`, it ends with the turn of the generating role in the last round.
        """
        for section in dialogue.sections:
            if section.name in ("begin", "end"):
                yield from (item if isinstance(item, str) else self._alone(item) for item in section.items)
                continue
            rounds = self._cut(section)
            for index, turns in enumerate(rounds):
                is_last = generating and section.name == "round" and index == len(rounds) - 1
                for spoken in self._round(turns, is_last):
                    yield spoken
                    if spoken.is_open:
                        return

    def check(self, turns: Sequence[Turn], section: str) -> None:
        """UserError unless every turn has a role here or falls back to one."""
        for turn in turns:
            if section in ("begin", "end"):
                self._role(turn, self.round + self.reserved)
            else:
                self._role(turn, self.round)

    def _alone(self, turn: Turn) -> Spoken:
        return _overlay(self._role(turn, self.round + self.reserved), turn)

    def _round(self, turns: Mapping[str, Turn], is_last: bool) -> Iterator[Spoken]:
        for role in self.round:
            turn = turns.get(role.name)
            spoken = _overlay(role, turn)
            if is_last and role.generate:
                yield spoken._replace(is_open=True)
            elif turn is not None or self.speaks_defaults:
                yield spoken

    def _cut(self, section: Section) -> list[dict[str, Turn]]:
        """A new round starts where a role comes again, or one that speaks before the previous one."""
        order = {role.name: index for index, role in enumerate(self.round)}
        rounds: list[dict[str, Turn]] = []
        previous = len(order)
        for item in section.items:
            if isinstance(item, str):
                continue
            name = self._role(item, self.round).name
            if order[name] <= previous or not rounds:
                rounds.append({})
            rounds[-1][name] = item
            previous = order[name]
        return rounds

    def _role(self, turn: Turn, roles: Sequence[Role]) -> Role:
        for name in (turn.role, turn.fallback_role):
            for role in roles:
                if role.name == name:
                    return role
        raise self._unknown_role(turn.role, [role.name for role in roles])

    def _unknown_role(self, name: str, valid: Sequence[str]) -> UserError:
        remedy = f"add fallback_role={valid[0]!r} to the turn, or the role to the model's meta_template"
        if any(role.name == name for role in self.reserved):
            remedy = f"{name} is one of the reserved_roles: use it in 'begin' or 'end', or add a fallback_role"
        elif near := nearest(name, valid):
            remedy += f"; {near}"
        return UserError(
            Finding(f"the model has no role {name!r} here, nor one that the turn falls back to", remedy=remedy)
        )


def parse_meta_template(meta: Mapping[str, Any]) -> MetaTemplate:
    """Checks and parses a model's `meta_template` dict; UserError says what is wrong."""
    unknown = [key for key in meta if key not in _KEYS]
    if unknown:
        raise _wrong(f"there is no key {unknown[0]!r}", nearest(unknown[0], _KEYS))
    rounds, reserved = (_roles(meta.get(key), key) for key in ("round", "reserved_roles"))
    if not rounds:
        raise _wrong("it has no round", "write dict(round=[dict(role='HUMAN', …), dict(role='BOT', generate=True, …)])")
    names = [role.name for role in rounds + reserved]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice:
        raise _wrong(f"the role {twice!r} stands there twice", "every role is unique over round and reserved_roles")
    return MetaTemplate(rounds, reserved, _begin(meta), _text(meta, "end"))


def _begin(meta: Mapping[str, Any]) -> str | Mapping[str, Any]:
    begin = meta.get("begin") or ""
    if not isinstance(begin, str | Mapping):
        raise _wrong(f"begin is a {type(begin).__name__}", "write the text as a string, that of tokens too")
    if isinstance(begin, Mapping):
        for key in ("role", "api_role", "prompt"):
            _text(cast(Mapping[str, Any], begin), key)
    return cast(str | Mapping[str, Any], begin)


def _roles(entries: Any, key: str) -> tuple[Role, ...]:
    if entries is None:
        return ()
    if not isinstance(entries, Sequence) or isinstance(entries, str):
        raise _wrong(f"{key} is a {type(entries).__name__}", "write a list of dict(role=…, begin=…, end=…)")
    return tuple(_parse_role(entry, key) for entry in cast(Sequence[Any], entries))


def _parse_role(entry: Any, key: str) -> Role:
    if not isinstance(entry, Mapping) or not isinstance(cast(Mapping[str, Any], entry).get("role"), str):
        raise _wrong(f"{key} holds {entry!r}", "write dict(role='HUMAN', begin=…, end=…)")
    entry = cast(Mapping[str, Any], entry)
    unknown = [name for name in entry if name not in _ROLE_KEYS]
    if unknown:
        raise _wrong(f"a role of {key} has no key {unknown[0]!r}", nearest(unknown[0], _ROLE_KEYS))
    return Role(
        entry["role"],
        _text(entry, "begin"),
        _text(entry, "prompt"),
        _text(entry, "end"),
        bool(entry.get("generate")),
        _text(entry, "api_role") or None,
    )


def _text(entry: Mapping[str, Any], key: str) -> str:
    value = entry.get(key)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise _wrong(f"{key} is {value!r}", "write a string")
    return value


def _overlay(role: Role, turn: Turn | None) -> Spoken:
    if turn is None:
        return Spoken(role, role.begin, role.prompt, role.end)
    begin, prompt, end = turn.begin, turn.prompt, turn.end
    return Spoken(
        role,
        role.begin if begin is None else begin,
        role.prompt if prompt is None else prompt,
        role.end if end is None else end,
    )


def _wrong(message: str, remedy: str) -> UserError:
    return UserError(Finding(message, _PLACE, remedy))
