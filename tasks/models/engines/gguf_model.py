"""`GGUFModel`: a GGUF file that the run serves itself, by llama.cpp's server."""

import asyncio
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tasks.models.engines.model_server import free_port, served
from tasks.models.interface import Completion, Request
from tasks.models.services.openai_chat import OpenAISDK
from tasks.spec.findings import Finding, Place, UserError
from tasks.spec.specs import ModelSpec
from tasks.spec.status import Status
from tasks.spec.storage.temporary_folder import held_folder


@dataclass(kw_only=True, eq=False, repr=False)
class GGUFModel(OpenAISDK):
    """A preset of a served model: OpenAISDK with `serve=dict(type='gguf', …)`, started at the first request."""

    is_api = False

    path: str = ""
    """The file, or its name inside `package`."""
    package: str | None = None
    """An installed package that holds the file; it is not imported."""
    parallel: int = 8
    """Requests that are answered at once."""
    context: int = 8192
    """Tokens, shared by the requests that are answered at once."""
    threads: int = 1
    start_timeout: float = 300.0
    """Seconds until the server must be ready."""
    key: Any = "EMPTY"
    max_seq_len: int | None = None
    """Default: the share of `context` that one request has."""

    def __post_init__(self) -> None:
        if not self.path:
            raise UserError(Finding("GGUFModel needs the argument 'path'", Place(key="path"), "name the .gguf file"))
        self._port = free_port()
        self._server = ExitStack()
        self._starting = asyncio.Lock()
        self._is_running = False
        self._failure: str | None = None
        self.openai_api_base = f"http://127.0.0.1:{self._port}/v1"
        self.max_seq_len = self.max_seq_len or self.context // self.parallel
        super().__post_init__()

    async def answer(self, request: Request) -> Completion:
        """The answer of the server, which is started first; a fatal error if it cannot be."""
        async with self._starting:
            if not self._is_running and self._failure is None:
                await asyncio.to_thread(self._start)
        if self._failure is not None:
            return Completion(Status.ERROR, attempts=0, error=self._failure, fatal=True)
        return await super().answer(request)

    async def close(self) -> None:
        await super().close()
        await asyncio.to_thread(self._server.close)

    def _start(self) -> None:
        options = {"file": self.path, "package": self.package, "parallel": self.parallel, "context": self.context}
        options |= {"threads": self.threads, "timeout": self.start_timeout}
        name = Path(self.path).stem
        model = ModelSpec(abbr=name, type="", written_type="GGUFModel", serve={"type": "gguf", **options})
        log = self._server.enter_context(held_folder("gguf")) / "server.log"
        try:
            self._server.enter_context(served(model, log, port=self._port))
        except UserError as error:
            self._failure = str(error)
        else:
            self._is_running = True
