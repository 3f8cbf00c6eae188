"""Whatever a chat service answers, it is said why a message was not posted, without a secret; any text can be sent."""

import json
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.anything import HOSTILE, JSON, TEXTS, changed, tries
from support.webhook_server import LARK_OK, WebhookServer

from blocks.notifications.lark import LarkTarget, lark_payload
from blocks.notifications.message import Message, Table, Tone, shorter
from blocks.notifications.posting import PostError, Target
from blocks.notifications.slack import SlackTarget, slack_blocks

BODIES = (
    HOSTILE.map(lambda body: body.decode("utf-8", "replace"))
    | JSON.map(json.dumps)
    | changed(json.loads(LARK_OK[1])).map(json.dumps)
    | st.sampled_from(["ok", " ok\n", "no_service", "", "the-hidden-token " * 300])
)


class Answering(WebhookServer):
    """Answers as the test says."""

    status, body = 200, ""

    def __init__(self) -> None:
        super().__init__(lambda _: (self.status, self.body))


@pytest.fixture(scope="module")
def server() -> Iterator[Answering]:
    with Answering() as server:
        yield server


@pytest.mark.parametrize("kind", [LarkTarget, SlackTarget])
@tries(60)
@given(status=st.sampled_from([200, 200, 200, 204, 301, 400, 404, 429, 500, 503]), body=BODIES)
def test_any_answer(server: Answering, kind: type[LarkTarget] | type[SlackTarget], status: int, body: str) -> None:
    server.status, server.body = status, body
    target: Target = kind(server.url)
    reason = refusal(target, Message("hi", ("x",)))
    assert "the-hidden-token" not in reason and "\n" not in reason
    if status != 200:
        assert reason


def refusal(target: Target, message: Message) -> str:
    """Why the message was not taken; empty if it was."""
    try:
        target.post(message, 20)
    except PostError as error:
        return str(error)
    return ""


TABLES = st.builds(lambda cell, count: Table(("a", "b"), ((cell, cell),) * count), TEXTS, st.integers(0, 60))
MESSAGES = st.builds(
    Message,
    TEXTS,
    st.lists(TEXTS | st.just("<!channel> <at id=all></at> [x](http://y) " * 40), max_size=4).map(tuple),
    tone=st.sampled_from(Tone),
    table=st.none()
    | st.builds(lambda cell, count: Table(("a", "b"), ((cell, cell),) * count), TEXTS, st.integers(0, 60)),
    log=TEXTS | st.just("x" * 5000),
    link=st.just("") | TEXTS,
)


@tries(150)
@given(message=MESSAGES)
def test_any_message_is_json_in_which_texts_are_literal(message: Message) -> None:
    for version in shorter(message):
        for form in ("text", "post", "card"):
            assert "<at" not in json.loads(json.dumps(lark_payload(version, form))).get("content", {}).get("text", "")
        blocks = json.loads(json.dumps(slack_blocks(version)))
        assert all(
            block["type"] in ("header", "rich_text", "divider", "section", "actions", "table") for block in blocks
        )
        assert "mrkdwn" not in json.dumps(blocks)
