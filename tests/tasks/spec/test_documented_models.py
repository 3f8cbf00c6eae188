"""The model configurations of the documentation, as they stand there."""

from collections.abc import Callable

import pytest

from tasks.spec.build import build_models
from tasks.spec.config_values import ConfigDict

CHAT = """
from opencompass.models import OpenAISDK

models = [
    dict(
        type=OpenAISDK,
        abbr='openai-compatible-model',
        path='served-model-name',
        key='ENV',  # OPENAI_API_KEY
        openai_api_base='https://example.com/v1',
        tokenizer_path='org/model-tokenizer',
        max_seq_len=131072,
        max_out_len=131072,
        query_per_second=1,
        max_workers=8,
        timeout=3600,
        retry=10,
        status_code_mappings={
            400: 'The request was rejected by the service.',
        },
        openai_extra_kwargs=dict(top_p=0.95),
        extra_body=dict(
            chat_template_kwargs=dict(enable_thinking=True),
        ),
        batch_size=8,
    )
]
"""
RESPONSES = """
from opencompass.models import OpenAISDKResponse

models = [
    dict(
        type=OpenAISDKResponse,
        abbr='gpt-6-astra-response',
        path='gpt-6-astra',
        key='ENV',  # OPENAI_API_KEY
        openai_api_base='https://api.openai.com/v1',
        max_seq_len=131072,
        max_out_len=131072,
        query_per_second=1,
        max_workers=8,
        timeout=3600,
        retry=10,
        openai_extra_kwargs=dict(reasoning=dict(effort='max')),
        batch_size=8,
    )
]
"""


@pytest.mark.parametrize("text", [CHAT, RESPONSES])
def test_is_read_without_a_finding(read: Callable[..., ConfigDict], monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "x")
    (model,), findings = build_models(read(text))
    assert findings == []
    assert model.is_api
    assert (model.max_out_len, model.batch_size, model.arguments["retry"]) == (131072, 8, 10)
