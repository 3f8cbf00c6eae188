"""What the classes that ask through a vendor's own SDK share."""

import asyncio
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any, ClassVar

from tasks.models.http.api_service import ApiService
from tasks.models.http.endpoints import Endpoint
from tasks.models.http.failures import AttemptFailed, FailureKind
from tasks.models.http.keys import resolve_keys
from tasks.models.http.retries import Send
from tasks.models.interface import Completion, Request
from tasks.spec.chat import Message, Prompt, to_wire_messages
from tasks.spec.findings import Finding, FindingKind, UserError

_INSTRUCTING = ("system", "developer")


@dataclass(kw_only=True, eq=False, repr=False)
class SdkService(ApiService):
    """Arguments of a configuration, under OpenCompass's names; one SDK client per address and key."""

    path: str
    """The model's name at the service."""
    key: str | Sequence[str] | None = field(default="ENV")
    max_seq_len: int | None = None
    thinking: Mapping[str, Any] | None = None
    """How the model thinks, in the vendor's own words."""
    stream: bool = False

    packages: ClassVar[tuple[str, ...]]
    """What must be installed: the module, and what brings it."""
    key_variables: ClassVar[tuple[str, ...]]

    def __post_init__(self) -> None:
        if missing := missing_package(type(self)):
            raise UserError(missing)
        super().__post_init__()
        self._clients: dict[tuple[str, str], Any] = {}

    @property
    def model(self) -> str:
        return self.path

    def keys(self) -> Sequence[str]:
        return resolve_keys(self.key, self.key_variables)

    def sender(self, request: Request) -> Send:
        async def send(endpoint: Endpoint, key: str) -> Completion:
            try:
                async with asyncio.timeout(self.timeout):
                    return await self.call(self._client(endpoint, key), endpoint, request)
            except TimeoutError:
                reason = f"no answer from {self.model} within {self.timeout:g} s"
                raise AttemptFailed(FailureKind.TIMEOUT, reason) from None

        return send

    @abstractmethod
    def open_client(self, endpoint: Endpoint, key: str) -> Any:
        """The SDK's client, which never tries again by itself."""

    @abstractmethod
    async def call(self, client: Any, endpoint: Endpoint, request: Request) -> Completion:
        """One attempt; AttemptFailed if it brings no answer."""

    def _client(self, endpoint: Endpoint, key: str) -> Any:
        client = self._clients.get((endpoint.base, key))
        if client is None:
            client = self._clients[endpoint.base, key] = self.open_client(endpoint, key)
        return client


def missing_package(model_class: Any) -> Finding | None:
    """What to install for a class whose `packages` are not there."""
    packages: tuple[str, ...] = getattr(model_class, "packages", ())
    if not packages or _is_installed(packages[0]):
        return None
    module, requirement = packages
    message = f"{model_class.__name__} needs the package {module!r}, which is not installed"
    return Finding(message, remedy=f"pip install '{requirement}'", kind=FindingKind.MACHINE)


def split_instructions(prompt: Prompt) -> tuple[str, list[Message]]:
    """The text of all system messages, and the others."""
    messages = to_wire_messages(prompt)
    instructions = [message["content"] for message in messages if message["role"] in _INSTRUCTING]
    texts = (text if isinstance(text, str) else "\n".join(part["text"] for part in text) for text in instructions)
    return "\n".join(texts), [message for message in messages if message["role"] not in _INSTRUCTING]


def image_url(part: Mapping[str, Any]) -> str | None:
    """The address in a chat-completion image part; None for any other part."""
    image: Any = part.get("image_url") if part.get("type") == "image_url" else None
    return image.get("url") if isinstance(image, Mapping) else image  # pyright: ignore[reportUnknownVariableType, reportUnknownMemberType]


def image_data(url: str) -> tuple[str, str] | None:
    """Media type and base64 text of a `data:` address; None for any other."""
    head, comma, data = url.partition(",")
    if not comma or not head.startswith("data:") or not head.endswith(";base64"):
        return None
    return head.removeprefix("data:").removesuffix(";base64"), data


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except ModuleNotFoundError:  # of a package around it
        return False
