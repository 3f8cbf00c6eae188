"""Keeps secrets out of texts: logs, errors, artifacts."""

import logging
import os
import traceback
from collections.abc import Iterable
from typing import Any
from urllib.parse import quote

from tasks.spec.secret_names import is_public_key, is_secret_name, mask_shapes
from tasks.spec.secrets import MINIMUM_LENGTH, secret_environment


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
        """Adds a secret, or several separated by commas; key words and what is too short to be one are left out."""
        for part in {secret, *secret.split(",")}:
            if len(part.strip()) >= MINIMUM_LENGTH and not is_public_key(part.strip()):
                forms = {part.strip(), quote(part.strip(), safe="")}
                self._secrets = sorted({*self._secrets, *forms}, key=len, reverse=True)

    def scrub(self, text: str) -> str:
        """The text without any secret."""
        for secret in self._secrets:
            text = text.replace(secret, "***")
        return mask_shapes(text)


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
