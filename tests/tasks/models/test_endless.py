"""An answer that never ends costs neither the memory nor the time of the run."""

from typing import Any

import pytest
from support.asking import ask, chat_model
from support.scripted_server import DRIP, FLOOD, ScriptedServer

from tasks.models.openai_service import OpenAIService
from tasks.models.openai_stream import OpenAISDKStreaming
from tasks.spec.status import Status


def _whole(url: str, **arguments: Any) -> OpenAIService:
    return chat_model(url, retry=0, **arguments)


def _streamed(url: str, **arguments: Any) -> OpenAIService:
    return OpenAISDKStreaming(key="EMPTY", openai_api_base=url, max_seq_len=None, retry=0, **arguments)


@pytest.mark.parametrize("model", [_whole, _streamed])
def test_a_reply_has_a_largest_size(model: Any) -> None:
    with ScriptedServer(decide=lambda call: FLOOD if call.last_user == "endless" else None) as server:
        endless, other = ask(model(server.url), "endless", "good")
    assert (endless.status, endless.error) == (Status.ERROR, "the answer has more than 128 MiB")
    assert other.status is Status.OK


@pytest.mark.parametrize("model", [_whole, _streamed])
def test_timeout_holds_for_an_answer_that_comes_byte_by_byte(model: Any) -> None:
    with ScriptedServer(turns=[DRIP]) as server:
        (completion,) = ask(model(server.url, timeout=0.5), "hi")
    assert completion.status is Status.ERROR
    assert str(completion.error).endswith("within 0.5 s")
