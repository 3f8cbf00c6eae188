"""`OpenAI`: OpenCompass's first class for chat completions, with an address that may be the full one."""

from dataclasses import dataclass, replace
from typing import Any

from tasks.models.http.endpoints import Endpoint
from tasks.models.interface import Completion, Request
from tasks.models.services.openai_chat import OpenAISDK


@dataclass(kw_only=True, eq=False, repr=False)
class OpenAI(OpenAISDK):
    """Asks like `OpenAISDK`; sends the key in the header of Azure's services as well, and strips plain answers."""

    def url(self, endpoint: Endpoint) -> str:
        """An address that names the resource already is taken as it is."""
        url = super().url(endpoint)
        return url.replace(f"{self.resource}/{self.resource}", self.resource, 1)

    def headers(self, endpoint: Endpoint, key: str) -> dict[str, str]:
        return {"api-key": key, **super().headers(endpoint, key)}

    def read(self, reply: Any, request: Request) -> Completion:
        """Blanks around an answer without reasoning are dropped, as OpenCompass does for this class."""
        completion = super().read(reply, request)
        if completion.reasoning:
            return completion
        return replace(completion, texts=tuple(text.strip() for text in completion.texts))
