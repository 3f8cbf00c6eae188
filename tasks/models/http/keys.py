"""API keys: what a configuration may write, which of them still work, and how they stay out of texts."""

import os
import re
from collections.abc import Iterable, Sequence

from tasks.spec.findings import Finding, FindingKind, Place, UserError
from tasks.spec.secrets.names import is_variable_name
from tasks.spec.secrets.scrubber import SecretScrubber
from tasks.spec.storage.printable import one_line

_LOOKS_LIKE_A_KEY = re.compile(r"\b(?:sk|key)-[\w*-]{4,}|(?<=Bearer )\S+")
_SHORTEST_SECRET = 4
_LONGEST_TEXT = 500
_PUBLIC_LITERALS = {"EMPTY", "NONE", "NULL", "DUMMY"}
"""What people write for a service that wants no key."""


def resolve_keys(key: str | Sequence[str] | None, own_variables: Sequence[str]) -> tuple[str, ...]:
    """The keys that `key` stands for; UserError if there is none.

    `ENV` is the class's own variable (several keys separated by commas), the name of a set variable is its value,
    anything else is the key itself; or a list of these.
    """
    if key is None:
        raise UserError(
            Finding("the key is None: os.getenv() found no such variable", Place(key="key"), _remedy(own_variables))
        )
    names = [key] if isinstance(key, str) else list(key)
    keys = [resolved.strip() for name in names for resolved in _resolve(name, own_variables)]
    if any(len(key.split()) > 1 for key in keys):
        raise UserError(Finding("the key has a blank or a line break in it", Place(key="key"), _remedy(own_variables)))
    if not keys:
        raise UserError(Finding("the list of keys is empty", Place(key="key"), _remedy(own_variables)))
    return tuple(keys)


def _resolve(name: str, own_variables: Sequence[str]) -> list[str]:
    if name == "ENV":
        values = [value for variable in own_variables if (value := os.environ.get(variable))]
        if not values:
            raise _unset(" or ".join(own_variables), own_variables)
        return [part.strip() for part in values[0].split(",") if part.strip()]
    if not is_variable_name(name):
        return [name]
    if name not in os.environ:
        raise _unset(name, own_variables)
    return [os.environ[name]]


def _unset(variable: str, own_variables: Sequence[str]) -> UserError:
    message = f"the environment variable {variable} is not set"
    return UserError(Finding(message, Place(key="key"), _remedy(own_variables), FindingKind.MACHINE))


def _remedy(own_variables: Sequence[str]) -> str:
    return f"export {own_variables[0]}=…, or write key='EMPTY' for a service that needs none"


class KeyPool:
    """The keys of one model, used in turn; a key the service no longer takes leaves the pool."""

    def __init__(self, keys: Sequence[str]) -> None:
        self._keys = list(keys)
        self._all = tuple(keys)
        self._next = 0
        self._scrubber = SecretScrubber()

    def hide(self, secrets: Iterable[str]) -> None:
        """Keeps further secrets of the model (headers, user info, queries) out of texts too."""
        for secret in secrets:
            self._scrubber.add(secret)

    def take(self) -> str | None:
        """The key of the next attempt; None if none is left."""
        if not self._keys:
            return None
        self._next = (self._next + 1) % len(self._keys)
        return self._keys[self._next - 1]

    def drop(self, key: str) -> bool:
        """The service no longer takes this key; False if that was known already."""
        if key not in self._keys:
            return False
        self._keys.remove(key)
        return True

    @property
    def exhausted(self) -> bool:
        return not self._keys

    def redact(self, text: str) -> str:
        """The text in one line, shortened, without any of the secrets, and without what looks like one."""
        text = one_line(text)
        for key in self._all:
            if len(key) >= _SHORTEST_SECRET and key.upper() not in _PUBLIC_LITERALS:
                text = text.replace(key, "***")
        text = _LOOKS_LIKE_A_KEY.sub("***", self._scrubber.scrub(text))
        return text if len(text) <= _LONGEST_TEXT else text[: _LONGEST_TEXT - 1] + "…"
