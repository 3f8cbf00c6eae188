"""Posting to real servers that answer well, slowly, wrongly or not at all."""

import base64
import hashlib
import hmac
import time

import pytest
from support.webhook_server import (
    LARK_BAD_SIGNATURE,
    LARK_OK,
    LARK_TOO_FAST,
    SLACK_OK,
    SilentServer,
    WebhookServer,
    unused_url,
)

from blocks.notifications.lark import LarkForm, LarkTarget, signature
from blocks.notifications.message import Message, Table
from blocks.notifications.posting import PostError, Target
from blocks.notifications.slack import SlackTarget

MESSAGE = Message(
    "Finished: 汉字", ("all well",), table=Table(("dataset", "gpt"), (("gsm8k", "62.5"),)), link="http://run"
)


def refused(target: Target, timeout: float = 5) -> PostError:
    with pytest.raises(PostError) as caught:
        target.post(MESSAGE, timeout)
    assert "hidden-token" not in str(caught.value) and caught.value.__cause__ is None
    return caught.value


@pytest.mark.parametrize("form", ["text", "post", "card"])
def test_lark_takes_each_form(form: LarkForm):
    with WebhookServer() as server:
        LarkTarget(server.url, form=form).post(MESSAGE)
    (text,) = server.texts
    assert {"text": "text", "post": "post", "card": "interactive"}[form] == server.bodies[0]["msg_type"]
    assert all(part in text for part in ("Finished: 汉字", "all well", "gsm8k", "62.5", "http://run"))
    assert "sign" not in server.bodies[0]


def test_lark_signs_with_a_secret():
    with WebhookServer() as server:
        LarkTarget(server.url, secret="the-secret").post(MESSAGE)
    body = server.bodies[0]
    key = f"{body['timestamp']}\nthe-secret".encode()
    assert base64.b64decode(body["sign"]) == hmac.digest(key, b"", hashlib.sha256)
    assert abs(int(body["timestamp"]) - time.time()) < 3600 and body["sign"] == signature(
        int(body["timestamp"]), "the-secret"
    )


def test_lark_refuses_with_status_200():
    with WebhookServer(lambda _: LARK_BAD_SIGNATURE) as server:
        error = refused(LarkTarget(server.url))
    assert "code 19021: sign match fail" in str(error) and not error.temporary


def test_lark_asks_for_patience_with_status_200():
    with WebhookServer(lambda _: LARK_TOO_FAST) as server:
        assert refused(LarkTarget(server.url)).temporary


@pytest.mark.parametrize("body", ["", "<html>proxy login</html>", "[]", "{}", "null", "\xff"])
def test_an_answer_that_is_not_larks(body: str):
    with WebhookServer(lambda _: (200, body)) as server:
        assert "not one of Lark's" in str(refused(LarkTarget(server.url)))


def test_an_answer_that_repeats_the_address_is_masked():
    with WebhookServer() as server:
        server.answer = lambda _: (200, f'{{"code":19001,"msg":"bad hook {server.url}"}}')
        assert "bad hook ***" in str(refused(LarkTarget(server.url)))


@pytest.mark.parametrize("make", [LarkTarget, SlackTarget])
@pytest.mark.parametrize(("status", "temporary"), [(400, False), (404, False), (429, True), (500, True), (503, True)])
def test_other_statuses(make: type[LarkTarget] | type[SlackTarget], status: int, temporary: bool):
    with WebhookServer(lambda _: (status, "no")) as server:
        error = refused(make(server.url))
    assert f"HTTP {status}" in str(error) and error.temporary is temporary
    assert len(server.bodies) == 1


@pytest.mark.parametrize("make", [LarkTarget, SlackTarget])
def test_nobody_listens_or_says_a_word(make: type[LarkTarget] | type[SlackTarget]):
    assert refused(make(unused_url())).temporary
    with SilentServer() as server:
        assert refused(make(server.url), timeout=1).temporary
    with WebhookServer(latency=5) as server:
        assert refused(make(server.url), timeout=1).temporary


def test_slack_takes_block_kit():
    with WebhookServer(lambda _: SLACK_OK) as server:
        SlackTarget(server.url).post(MESSAGE)
    body = server.bodies[0]
    assert body["text"].startswith("Finished: 汉字") and [block["type"] for block in body["blocks"]] == [
        "header",
        "rich_text",
    ]


def test_slack_says_something_else_than_ok():
    with WebhookServer(lambda _: (200, "invalid_blocks")) as server:
        assert "invalid_blocks" in str(refused(SlackTarget(server.url)))


def test_what_is_too_long_for_a_service_is_cut():
    long = Message("t", ("汉" * 500,) * 60, log="x" * 1500)
    with WebhookServer(lambda _: LARK_OK) as server:
        LarkTarget(server.url).post(long)
    assert len(server.texts[0].encode()) <= 20_000 and "汉" in server.texts[0]
    with WebhookServer(lambda _: SLACK_OK) as server:
        SlackTarget(server.url).post(long)
    assert len(server.bodies[0]["text"]) <= 3100 and "汉" in server.texts[0]


def test_a_proxy_does_not_stand_before_this_machine(monkeypatch: pytest.MonkeyPatch):
    for name in ("http_proxy", "HTTP_PROXY", "https_proxy", "HTTPS_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    with WebhookServer() as server:
        LarkTarget(server.url).post(MESSAGE)
    with WebhookServer(lambda _: SLACK_OK) as server:
        SlackTarget(server.url).post(MESSAGE)


def test_a_target_shows_no_secret():
    target = LarkTarget("https://open.feishu.cn/open-apis/bot/v2/hook/hidden-token", "the-secret")
    assert "hidden-token" not in repr(target) + target.name and "the-secret" not in repr(target)
    assert target.name == "Lark (open.feishu.cn)"
