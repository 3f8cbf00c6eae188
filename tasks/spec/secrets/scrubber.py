"""Keeps secrets out of texts: logs, errors, artifacts."""

import base64
import logging
import os
import traceback
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote, unquote

from tasks.spec.secrets.names import is_public_key, is_secret_name, mask_shapes
from tasks.spec.secrets.redaction import MINIMUM_LENGTH, secret_environment


class SecretScrubber:
    """Replaces every secret it knows by `***`, and whatever has the form of one."""

    def __init__(self, secrets: Iterable[str] = ()) -> None:
        self._secrets: list[str] = []
        for secret in secrets:
            self.add(secret)

    @classmethod
    def of_configuration(cls, values: Any) -> "SecretScrubber":
        """Knows the secrets of a configuration and of the environment, in clear or behind a variable's name."""
        environment = (value for name, value in os.environ.items() if is_secret_name(name))
        return cls([*secret_environment(values).values(), *environment])

    def add(self, secret: str) -> None:
        """Adds a secret, or several separated by commas; key words and what is too short to be one are left out.

        Of `user:password` the password counts by itself, and the whole as it stands in a header.
        """
        _, _, password = secret.partition(":")
        for part in {secret, *secret.split(","), password}:
            if len(part.strip()) >= MINIMUM_LENGTH and not is_public_key(part.strip()):
                self._secrets = sorted({*self._secrets, *_forms(part.strip())}, key=len, reverse=True)

    def scrub(self, text: str) -> str:
        """The text without any secret."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return mask_shapes(text)


def scrubbed(text: str, *values: Any) -> str:
    """The text without the secrets of these parts of a configuration and of the environment."""
    return SecretScrubber.of_configuration(list(values)).scrub(text)


def _forms(secret: str) -> set[str]:
    """How a secret is written: in clear, inside a URL, or as basic authentication."""
    forms = {secret, quote(secret, safe=""), unquote(secret)}
    if ":" in secret:
        forms.add(base64.b64encode(unquote(secret).encode("utf-8", "replace")).decode())
    return forms


class SecretFilter(logging.Filter):
    """Takes secrets out of log records, their arguments and their tracebacks; to be added to handlers."""

    def __init__(self, scrubber: SecretScrubber) -> None:
        super().__init__()
        self._scrubber = scrubber

    def filter(self, record: logging.LogRecord) -> bool:
        record.msg, record.args = self._scrubber.scrub(record.getMessage()), None
        if record.exc_info:
            record.exc_text = "".join(traceback.format_exception(*record.exc_info)).rstrip()
            record.exc_info = None
        for name in ("exc_text", "stack_info"):
            text = getattr(record, name)
            if text:
                setattr(record, name, self._scrubber.scrub(text))
        return True
