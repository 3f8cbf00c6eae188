"""Keeping secrets out of files, and finding them again where they are needed.

A secret that stands in clear in a configuration is replaced by a reference to an environment variable:
`ENV:NAME` for a whole value, `{ENV:NAME}` inside a longer text such as a URL. NAME is a variable of the user's that
holds the same value, if there is one, else `COMPASS_SECRET_<MODEL>_<KEY>`. `ENV`, `EMPTY` and names of variables stay.
"""

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, cast

from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.secrets.names import (
    command_secrets,
    has_secret_shape,
    is_public_key,
    is_secret_name,
    is_webhook,
    url_secrets,
)
from tasks.spec.values import ConfigDict

PREFIX = "COMPASS_SECRET_"
MINIMUM_LENGTH = 6
"""Shorter values are not looked for in the environment or in texts: they would match by chance."""

MINIMUM_INSIDE = 12
"""Shorter secrets are not looked for inside longer texts of the configuration."""

_REFERENCE = re.compile(r"ENV:([A-Za-z_][A-Za-z0-9_]*)")
_EMBEDDED = re.compile(r"\{ENV:([A-Za-z_][A-Za-z0-9_]*)\}")
_JUDGES = frozenset({"judge_cfg", "judge_models", "judgers", "meta_judge_model"})


def redact(values: Any) -> Any:
    """A copy of a configuration, or of a part of one, in which references stand for clear secrets."""
    return _redaction(values)[0]


def secret_environment(values: Any) -> dict[str, str]:
    """The variables that `redact(values)` refers to and those that the values name themselves, in clear."""
    return _redaction(values)[1]


def resolve_references(values: Any) -> Any:
    """A copy of the values in which every reference made by `redact` is clear again: for the process that uses them.

    Raises UserError for a variable that is not set.
    """
    if isinstance(values, str):
        whole = _REFERENCE.fullmatch(values)
        return _variable(whole[1]) if whole else _EMBEDDED.sub(lambda match: _variable(match[1]), values)
    if isinstance(values, dict):
        return {key: resolve_references(item) for key, item in cast(dict[Any, Any], values).items()}
    if isinstance(values, list | tuple):
        items = [resolve_references(item) for item in cast(list[Any], values)]
        return tuple(items) if isinstance(values, tuple) else items
    return values


def _redaction(values: Any) -> tuple[Any, dict[str, str]]:
    """The redacted copy and the variables it needs. A second walk finds secrets where no name tells them."""
    first = _Redaction({})
    first.value(values, _Spot())
    redaction = _Redaction({secret: name for name, secret in first.variables.items()})
    return redaction.value(values, _Spot()), redaction.variables


def _variable(name: str) -> str:
    value = os.environ.get(name)
    if value is None:
        what = "a secret that saved configurations leave out" if name.startswith(PREFIX) else "a key"
        message = f"the environment variable {name}, which holds {what}, is not set"
        raise UserError(Finding(message, remedy=f"export {name}=…", kind=FindingKind.MACHINE))
    return value


@dataclass(frozen=True, slots=True)
class _Spot:
    """Where in the configuration a value stands."""

    name: str = ""
    """Its key, or that of the list it is in."""
    owner: str = ""
    """Abbreviation of the model around it, else the key of the dict around it: what its variable is named after."""
    bare_key: bool = True
    """Whether a value named just `key` is a secret: everywhere but among the arguments of datasets."""
    hidden: bool = False
    """Whether it is among headers, proxies or credentials, whatever its own name."""
    environment: bool = False

    def below(self, name: str, siblings: Mapping[Any, Any]) -> "_Spot":
        lowered = name.lower()
        owner = siblings.get("abbr")
        in_dataset = "infer_cfg" in siblings or "reader_cfg" in siblings
        return _Spot(
            name,
            owner if isinstance(owner, str) else self.owner,
            lowered in _JUDGES or (self.bare_key and not in_dataset),
            self.hidden or lowered.endswith(("headers", "proxies")) or lowered in ("auth", "proxy_auth"),
            self.environment or lowered in ("env", "envs", "extra_envs", "environment"),
        )

    @property
    def hides_all(self) -> bool:
        lowered = self.name.lower()
        proxy = lowered.endswith(("proxy", "proxy_url")) and not lowered.startswith("no_")
        return self.hidden or proxy or is_secret_name(self.name) or (self.bare_key and lowered == "key")


class _Redaction:
    """One walk through a configuration, which names a variable for each secret it meets.

    `known` are secrets with the names of their variables, which are looked for in all other texts.
    """

    def __init__(self, known: Mapping[str, str]) -> None:
        self.variables: dict[str, str] = {}
        names = sorted(os.environ, key=lambda name: (name.startswith(PREFIX), name))
        long_enough = [name for name in names if len(os.environ[name]) >= MINIMUM_LENGTH]
        self._in_environment = {os.environ[name]: name for name in reversed(long_enough)}
        secret = {text: name for text, name in self._in_environment.items() if is_secret_name(name)}
        self._known = {
            text: name
            for text, name in {**secret, **known}.items()
            if len(text) >= MINIMUM_LENGTH and not is_public_key(text)
        }

    def value(self, value: Any, spot: _Spot) -> Any:
        if isinstance(value, dict):
            new = self._items(cast(dict[Any, Any], value), spot)
            return value.with_values(new) if isinstance(value, ConfigDict) else new
        if isinstance(value, list | tuple):
            items = list(self._elements(cast(list[Any], value), spot))
            return tuple(items) if isinstance(value, tuple) else items
        return self._text(value, spot) if isinstance(value, str) else value

    def _items(self, values: dict[Any, Any], spot: _Spot) -> dict[Any, Any]:
        owned = replace(spot, owner=spot.owner or spot.name)
        return {key: self.value(item, owned.below(str(key), values)) for key, item in values.items()}

    def _elements(self, values: list[Any], spot: _Spot) -> Iterator[Any]:
        """Items of a list; the one after a `--api-key` of a command line is a secret."""
        option = ""
        for item in values:
            yield self.value(item, replace(spot, name=option or spot.name))
            named = item.removeprefix("--") if isinstance(item, str) and item.startswith("--") else ""
            option = named if is_secret_name(named) else ""

    def _text(self, text: str, spot: _Spot) -> str:
        if spot.hides_all or is_webhook(text):
            if is_public_key(text):
                self._note(text)
                return text
            return f"ENV:{self._name(text, spot)}"
        if spot.environment and "=" in text:
            name, _, secret = text.partition("=")
            if is_secret_name(name) and not is_public_key(secret):
                return f"{name}={{ENV:{self._name(secret, replace(spot, name=name))}}}"
        if text in self._known or has_secret_shape(text):
            return f"ENV:{self._name(text, spot)}"
        inside = [secret for secret in self._known if len(secret) >= MINIMUM_INSIDE and secret in text]
        for secret in [*sorted(inside, key=len, reverse=True), *url_secrets(text), *command_secrets(text)]:
            if secret in text:
                text = text.replace(secret, f"{{ENV:{self._name(secret, spot)}}}")
        return text

    def _note(self, text: str) -> None:
        """A key that names a set variable, or refers to it, needs that variable wherever it is used."""
        name = text.removeprefix("ENV:")
        if name in os.environ:
            self.variables[name] = os.environ[name]

    def _name(self, secret: str, spot: _Spot) -> str:
        name = self._in_environment.get(secret) or self._known.get(secret) or self._new_name(secret, spot)
        self.variables[name] = secret
        return name

    def _new_name(self, secret: str, spot: _Spot) -> str:
        wanted = PREFIX + re.sub(r"[^A-Z0-9]+", "_", f"{spot.owner}_{spot.name}".upper()).strip("_")
        name, number = wanted, 1
        while self.variables.get(name, secret) != secret:
            number += 1
            name = f"{wanted}_{number}"
        return name
