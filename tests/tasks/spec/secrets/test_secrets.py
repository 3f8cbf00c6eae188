"""Secrets never reach a file, and are found again where they are needed."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tasks.spec.config.dump import dump_config
from tasks.spec.config.file import load_config
from tasks.spec.findings import UserError
from tasks.spec.secrets.redaction import redact, resolve_references, secret_environment
from tasks.spec.values import ConfigDict

Read = Callable[..., ConfigDict]

EVERYWHERE = """
    lark_bot_url = 'https://open.feishu.cn/open-apis/bot/v2/hook/canary-lark'
    notify = dict(slack_webhook='https://hooks.slack.com/services/canary-slack')
    models = [
        dict(abbr='gpt-x', type='OpenAISDK', key=['canary-key-1', 'canary-key-2'],
             openai_api_base='https://me:canary-password@host/v1?api_key=canary-query&x=1',
             openai_proxy_url='http://proxy:canary-proxy@p:1',
             http_client_cfg=dict(proxies={'https': 'http://canary-proxy-host'}),
             openai_extra_kwargs=dict(extra_headers={'X-Auth': 'canary-header'}),
             serve=dict(command=['serve', '--api-key', 'canary-command', '--port', '1'])),
        dict(abbr='gpt-y', type='TurboMindAPIModel', api_key='canary-api-key',
             serve=dict(command='serve --api-key canary-command-line')),
    ]
    datasets = [dict(abbr='d', type='D', key='a column', reader_cfg=dict(input_columns=['q']), infer_cfg=dict(x=1),
        eval_cfg=dict(evaluator=dict(type='E', judge_cfg=dict(abbr='judge', type='OpenAISDK', key='canary-judge'))))]
    infer = dict(runner=dict(type='DLCRunner', aliyun_cfg=dict(
        access_key_id='canary-id', access_key_secret='canary-secret', extra_envs=['HF_TOKEN=canary-hf', 'PLAIN=x']),
        env=dict(GITHUB_TOKEN='canary-gh')))
    database = 'postgresql+asyncpg://user:canary-db@host/db'
    station_path = 'postgresql://user:canary-station@host/results'
    dsn = 'redis://:canary-redis@host'
    alerts = dict(webhook='https://alerts.example/canary-alert')
    lark_bot_secret = 'canary-lark-secret'
    http_proxy = 'http://me:canary-environment-proxy@p:1'
    judge_models = [dict(abbr='jury', key=['canary-jury-1', 'canary-jury-2'], extra_headers=dict(a='canary-jury'))]
    eval = dict(partitioner=dict(meta_judge_model=dict(abbr='meta', key='canary-meta')))
    client = dict(auth=('me', 'canary-auth'), proxies=dict(https='http://me:canary-proxies@p'))
    served = dict(serve=dict(env=dict(HF_TOKEN='canary-serve'), command='x --hf-token=canary-flag'))
"""


def test_no_secret_is_dumped_and_all_come_back(read: Read, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    values = read(EVERYWHERE)
    text = dump_config(values)
    assert "canary" not in text
    assert "key='a column'" in text
    for name, value in secret_environment(values).items():
        monkeypatch.setenv(name, value)
    (tmp_path / "dump.py").write_text(text)
    assert resolve_references(load_config(tmp_path / "dump.py").values) == values


def test_a_secret_is_found_under_any_other_name(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "canary-environment")
    text = dump_config(
        read("""
        import os
        mine = 'canary-helper'
        note = 'the key is canary-helper, see above'
        unused = os.environ['OPENAI_API_KEY']
        shaped = 'sk-canary-0123456789'
        models = [dict(abbr='m', key=mine)]
        """)
    )
    assert "canary" not in text
    assert "mine = 'ENV:COMPASS_SECRET_M_KEY'" in text
    assert "unused = 'ENV:OPENAI_API_KEY'" in text


def test_the_original_is_left_alone(read: Read) -> None:
    values = read(EVERYWHERE)
    redact(values)
    assert values == read(EVERYWHERE, "again.py")


def test_variables_are_named_after_model_and_key(read: Read) -> None:
    environment = secret_environment(read(EVERYWHERE))
    assert environment["COMPASS_SECRET_GPT_X_KEY"] == "canary-key-1"
    assert environment["COMPASS_SECRET_GPT_X_KEY_2"] == "canary-key-2"
    assert environment["COMPASS_SECRET_JUDGE_KEY"] == "canary-judge"
    assert environment["COMPASS_SECRET_LARK_BOT_URL"].endswith("canary-lark")


def test_a_variable_that_holds_the_value_is_named_instead(read: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_SERVICE", "canary-from-env")
    values = read("import os\nmodels = [dict(abbr='m', key=os.getenv('MY_SERVICE'))]")
    assert redact(values).models[0].key == "ENV:MY_SERVICE"
    assert secret_environment(values) == {"MY_SERVICE": "canary-from-env"}


@pytest.mark.parametrize(
    "key", ["ENV", "EMPTY", "", "OPENAI_API_KEY", "SOME_TOKEN", "ENV:ANY_NAME", None, ["ENV", "X_KEY"]]
)
def test_key_words_and_names_of_variables_stay(key: Any) -> None:
    assert redact({"models": [{"abbr": "m", "key": key}]})["models"][0]["key"] == key


def test_a_set_variable_may_have_any_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("mykey", "canary-value")
    values = {"abbr": "m", "key": "mykey"}
    assert redact(values) == values
    assert secret_environment(values) == {"mykey": "canary-value"}


@pytest.mark.parametrize(
    "harmless",
    [
        {"max_tokens": 5}, {"pad_token": "<pad>"}, {"ice_token": "</E>"}, {"eos_token": "</s>"}, {"sep_token": "x"},
        {"tokenizer_path": "org/name"}, {"no_proxy": "localhost"}, {"url": "https://host/v1"}, {"keyword": "x"},
        {"stop_token": "x"}, {"gen_field_replace_token": "x"}, {"keys": ["a"]},
    ],
)  # fmt: skip
def test_what_only_sounds_like_a_secret_stays(harmless: dict[str, Any]) -> None:
    assert redact(harmless) == harmless


def test_the_current_folder_is_no_secret(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PWD", "/home/user/evaluations")
    assert redact({"path": "/home/user/evaluations/sums.jsonl"}) == {"path": "/home/user/evaluations/sums.jsonl"}


def test_models_of_one_name_and_two_keys_are_told_apart() -> None:
    values = [
        {"abbr": "a-b", "key": "canary-1"},
        {"abbr": "a_b", "key": "canary-2"},
        {"abbr": "a-b", "key": "canary-1"},
    ]
    references = [entry["key"] for entry in redact(values)]
    assert references[0] == references[2] != references[1]


def test_a_missing_variable_is_named() -> None:
    for reference in ("ENV:COMPASS_SECRET_M_KEY", "https://{ENV:COMPASS_SECRET_M_KEY}@host"):
        with pytest.raises(UserError, match="_KEY, which holds .* is not set"):
            resolve_references(reference)


def test_literals_are_their_own_value() -> None:
    assert resolve_references("sk-literal") == "sk-literal"
    assert resolve_references("EMPTY") == "EMPTY"


@given(st.text(min_size=8).filter(lambda text: f"sk-{text}" not in os.environ.values()))
def test_any_key_is_replaced_and_found_again(secret: str) -> None:
    values = {"models": [{"abbr": "m", "key": f"sk-{secret}"}]}
    assert redact(values) == {"models": [{"abbr": "m", "key": "ENV:COMPASS_SECRET_M_KEY"}]}
    assert secret_environment(values) == {"COMPASS_SECRET_M_KEY": f"sk-{secret}"}
