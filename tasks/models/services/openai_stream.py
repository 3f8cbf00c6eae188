"""`OpenAISDKStreaming`: chat completions that arrive piece by piece."""

from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from tasks.models.http.endpoints import Endpoint
from tasks.models.http.failures import AttemptFailed, FailureKind
from tasks.models.http.retries import Send
from tasks.models.http.streaming import Told, receive
from tasks.models.interface import Completion, Request
from tasks.models.services.chat_chunks import ChatPieces
from tasks.models.services.openai_chat import OpenAISDK
from tasks.spec.status import Status

_OPTIONS = "stream_options"
_NO_FINISH = "the stream ended without a finish reason"


@dataclass(kw_only=True, eq=False, repr=False)
class OpenAISDKStreaming(OpenAISDK):
    """Asks `<openai_api_base>/chat/completions` for a stream, and puts the answer together."""

    stream: bool = True
    """False: asks for the whole answer at once, as `OpenAISDK` does."""
    stream_chunk_size: int = 1
    """Accepted for compatibility: pieces are as large as the service sends them."""
    finish_reason_confirm: bool = True
    """Whether a stream that ends without a finish reason is a failed attempt; False: its text so far is the answer."""

    def __post_init__(self) -> None:
        super().__post_init__()
        self._counts_usage = True
        """Until the service refuses `stream_options`."""

    def sender(self, request: Request) -> Send:
        if not self.stream:
            return super().sender(request)

        async def send(endpoint: Endpoint, key: str) -> Completion:
            counted = self._counts_usage
            try:
                return await self._receive(endpoint, key, request)
            except AttemptFailed as failure:
                if not counted or failure.kind is not FailureKind.REJECTED or _OPTIONS not in failure.reason:
                    raise
            self._counts_usage = False
            return await self._receive(endpoint, key, request)

        return send

    async def _receive(self, endpoint: Endpoint, key: str, request: Request) -> Completion:
        body: dict[str, Any] = {**self.body(request), "stream": True}
        if self._counts_usage:
            body.setdefault(_OPTIONS, {"include_usage": True})
        pieces = ChatPieces(self._told(request))
        broken: AttemptFailed | None = None
        try:
            async with self._wire.open(self.url(endpoint), self.encoded(body), self.headers(endpoint, key)) as response:
                if withheld := await receive(response, self._mappings, pieces):
                    return withheld
        except AttemptFailed as failure:
            if not (pieces.has_text or pieces.finished):
                raise
            broken = failure
        if pieces.finished or (pieces.has_text and not self.finish_reason_confirm):
            return self._completion(pieces, broken, request)
        raise broken or AttemptFailed(FailureKind.MALFORMED, _NO_FINISH)

    def _told(self, request: Request) -> Told:
        return partial(self._log.piece, request.index)

    def _completion(self, pieces: ChatPieces, broken: AttemptFailed | None, request: Request) -> Completion:
        """A text that may not be the whole one is truncated, and says so."""
        completion = self.read(pieces.reply(), request)
        if pieces.finished or pieces.ended:
            return completion
        status = Status.TRUNCATED if completion.status is Status.OK else completion.status
        return replace(completion, status=status, note=f"the text so far: {broken.reason if broken else _NO_FINISH}")
