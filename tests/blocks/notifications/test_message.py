"""What is posted: bounded, printable, free of secrets."""

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from blocks.notifications.events import Event, EventKind, Failure
from blocks.notifications.lark import lark_payload
from blocks.notifications.message import Message, Table, Tone, calling_nobody, compose, shorter
from blocks.notifications.slack import escaped, slack_blocks
from blocks.notifications.templates import load_templates
from tasks.spec.findings import UserError
from tasks.spec.secrets.scrubber import SecretScrubber

SECRET = "sk-very-secret-value-000"
clean = SecretScrubber([SECRET]).scrub


def failed(count: int, log: Path | None = None, reason: str = "HTTP 500") -> Event:
    failures = tuple(Failure(f"gpt/data_{n}", reason, log) for n in range(min(count, 50)))
    return Event(EventKind.PAIR_FAILED, {"run": "my_eval"}, failures, count)


def told(event: Event) -> Message:
    return compose(event, load_templates(), clean)


def test_500_failures_are_one_short_message():
    message = told(failed(500))
    assert message.title == "Failed in my_eval: 500" and message.tone is Tone.BAD
    assert message.lines[0] == "gpt/data_0: HTTP 500" and message.lines[-1] == "… and 490 more"
    assert len(message.text) < 1000


def test_the_end_of_the_log_is_shown_without_secrets(tmp_path: Path):
    log = tmp_path / "data.out"
    log.write_text("early\n" + "filler\n" * 5000 + f"Authorization: Bearer {SECRET}\nTraceback: boom")
    message = told(failed(1, log, reason=f"refused {SECRET}"))
    assert message.log.endswith("Traceback: boom") and "early" not in message.log and len(message.log) < 1600
    assert SECRET not in message.text and "refused ***" in message.text


def test_a_secret_is_gone_before_the_log_is_cut(tmp_path: Path):
    log = tmp_path / "data.out"
    log.write_text(SECRET + "x" * 1490)  # the cut goes through the middle of the secret
    assert SECRET[4:] not in told(failed(1, log)).log and "very" not in told(failed(1, log)).log


def test_what_a_model_or_server_says_cannot_break_a_message():
    message = told(failed(1, reason="a\x00b\nc\u202ed\ud800" + "x" * 10_000))
    (line,) = message.lines
    assert line.startswith("gpt/data_0: ab cd\\ud800xxx") and len(line) == 500
    for form in ("text", "post", "card"):
        str(lark_payload(message, form)).encode()


def test_a_wide_and_long_table_is_cut():
    rows = tuple({"dataset": f"d{n}", "gpt": "x" * 200} for n in range(100))
    table = told(Event(EventKind.FINISHED, {"run": "r"}, table=rows)).table
    assert table is not None and len(table.rows) == 31 and table.rows[-1][0] == "… 70 more rows"
    assert max(len(cell) for row in table.rows for cell in row) == 60


def test_a_title_for_success_and_one_for_failure():
    finished = Event(EventKind.EVAL_FINISHED, {"run": "r", "user": "me", "done": "3"})
    good = told(finished)
    assert good.title == "Scoring finished: r" and good.tone is Tone.GOOD and "failed:" not in good.text
    bad = told(replace(finished, failures=(Failure("gpt/gsm8k", "x"),), failed=1))
    assert bad.title == "Scoring finished with 1 failures: r" and "failed: gpt/gsm8k" in bad.lines


def test_shorter_versions_end_with_the_title():
    message = Message("t", ("x" * 500,) * 20, table=Table(("a",), (("b",),) * 30), log="l" * 1500)
    sizes = [len(version.text) for version in shorter(message)]
    assert sizes == sorted(sizes, reverse=True) or sizes[0] > sizes[-1] == 0
    assert [version.title for version in shorter(message)] == ["t"] * len(sizes)


def test_only_web_addresses_are_links():
    assert told(Event(EventKind.TEST, link="javascript:alert(1)")).link == ""
    assert told(Event(EventKind.TEST, link="http://127.0.0.1/run")).link == "http://127.0.0.1/run"


def test_lark_text_cannot_mention_everybody():
    payload = lark_payload(Message("t", ('<at user_id="all">x</at>',)), "text")
    assert "<at" not in payload["content"]["text"] and "</at" not in payload["content"]["text"]


def test_lark_post_and_card_hold_texts_literally():
    message = Message("**t**", ("<at id=all></at> [x](http://y)",), link="http://run")
    post = lark_payload(message, "post")["content"]["post"]["zh_cn"]
    assert post["title"] == "**t**" and post["content"][0] == [{"tag": "text", "text": message.lines[0]}]
    card = lark_payload(message, "card")["card"]
    assert card["elements"][0] == {"tag": "div", "text": {"tag": "plain_text", "content": message.lines[0]}}
    assert card["elements"][-1]["actions"][0]["url"] == "http://run"


def test_slack_texts_are_literal():
    header, body = slack_blocks(Message("<!channel>", ("*bold* <!here>",), table=Table(("a", "b"), (("1", "2"),))))
    assert header["text"]["type"] == "plain_text"
    assert body["elements"][0]["elements"][0] == {"type": "text", "text": "*bold* <!here>"}
    assert body["elements"][1]["elements"][0]["text"] == "a  b\n1  2"
    assert escaped("a < b & <!channel>") == "a &lt; b &amp; &lt;!channel&gt;"


def test_users_change_single_entries_or_name_a_file(tmp_path: Path):
    changed = load_templates({"started": {"title": "Los: $run"}})
    message = compose(Event(EventKind.STARTED, {"run": "r", "user": "me"}), changed, clean)
    assert message.title == "Los: r" and message.lines[0].startswith("me started")
    (tmp_path / "own.toml").write_text('[test]\ntitle = "$user, $$5"\nlines = []\n')
    own = load_templates(str(tmp_path / "own.toml"))
    assert compose(Event(EventKind.TEST, {"user": "me"}), own, clean) == Message("me, $5")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"startet": {"title": "x"}}, "did you mean 'started'"),
        ({"started": {"titel": "x"}}, "started.titel"),
        ({"started": {"title": "$usr"}}, "$usr is unknown; did you mean 'user'"),
        ({"started": {"title": "100$"}}, "written $$"),
        ("nowhere.toml", "nowhere.toml"),
    ],
)
def test_templates_that_cannot_be_used_are_bad_input(changes: object, said: str):
    with pytest.raises(UserError) as caught:
        load_templates(changes)  # pyright: ignore[reportArgumentType]
    assert said in str(caught.value)


def test_no_service_is_made_to_call_people_or_to_show_links_and_tags():
    """Slack, Discord, Mattermost, Teams, Telegram: what each reads in plain texts."""
    text = "<!channel> <@U1> <#C1> <at id=all>all</at> <http://evil|docs> @here @ALL @everyone @channel <b>x</b>"
    safe = calling_nobody(text)
    assert "<" not in safe and not any(f"@{word}" in safe.lower() for word in ("here", "all", "everyone", "channel"))
    assert calling_nobody("me@example.org: 3 < 4, @hereby") == "me@example.org: 3 < 4, @hereby"


def test_blocks_of_others_get_texts_that_call_nobody(monkeypatch: pytest.MonkeyPatch):
    from prefect.blocks.abstract import NotificationBlock

    from blocks.notifications import block

    class Own(NotificationBlock):
        told: ClassVar[list[tuple[str, str | None]]] = []

        def notify(self, body: str, subject: str | None = None) -> None:
            self.told.append((body, subject))

    monkeypatch.setattr(block, "load_block", lambda base, reference: Own())
    block.load_target("slack-webhook/own").post(Message("Failed: <!here>", ("<!channel> look",)))
    assert Own.told == [("＜!channel> look", "Failed: ＜!here>")]
