"""Slack: posting to an incoming webhook, in Block Kit."""

from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Any

from blocks.notifications.message import Message, Tone, shorter
from blocks.notifications.posting import (
    TIMEOUT_S,
    Answer,
    PostError,
    check_status,
    host_of,
    is_direct,
    reason,
    unreachable,
)
from tasks.spec.findings import Finding, FindingKind, Place

_LONGEST_TEXT = 3000
"""Characters of one text in a block."""
_LONGEST_TITLE = 150
_MARKS = {Tone.GOOD: "🟢", Tone.BAD: "🔴", Tone.WARNING: "🟠", Tone.NEUTRAL: "🔵"}


@dataclass(frozen=True)
class SlackTarget:
    """An incoming webhook."""

    url: str = field(repr=False)

    @property
    def name(self) -> str:
        return f"Slack ({host_of(self.url)})"

    def post(self, message: Message, timeout: float = TIMEOUT_S) -> None:
        """Posts once; PostError if Slack did not answer `ok`."""
        from slack_sdk.errors import SlackClientError
        from slack_sdk.webhook import WebhookClient

        client = WebhookClient(self.url, timeout=max(1, round(timeout)), retry_handlers=[])
        if is_direct(self.url):
            client.proxy = None
        secrets = (self.url, self.url.rpartition("/")[2])
        version = next((v for v in shorter(message) if len(v.text) <= _LONGEST_TEXT), Message(message.title))
        try:
            response = client.send(text=escaped(f"{version.title}\n{version.text}"), blocks=slack_blocks(version))
        except (SlackClientError, OSError, ValueError) as error:
            raise unreachable(error) from None
        except Exception as error:  # noqa: BLE001  # http.client's errors have many kinds, whose texts may hold the address
            raise PostError(f"no valid answer ({type(error).__name__})", temporary=True) from None
        check_status(Answer(response.status_code, response.body), secrets)
        if response.body.strip() != "ok":
            raise PostError(reason(f"the answer is not Slack's: {response.body}", secrets), temporary=False)


def slack_blocks(message: Message) -> list[dict[str, Any]]:
    """Block Kit in which texts are literal: a header and rich text, never mrkdwn."""
    title = f"{_MARKS[message.tone]} {message.title}"[:_LONGEST_TITLE]
    blocks: list[dict[str, Any]] = [{"type": "header", "text": {"type": "plain_text", "text": title, "emoji": False}}]
    parts: list[dict[str, Any]] = []
    if message.lines:
        parts.append(_rich("rich_text_section", {"type": "text", "text": "\n".join(message.lines)}))
    texts = [message.table.text if message.table else "", message.log]
    parts += [_rich("rich_text_preformatted", {"type": "text", "text": text}) for text in texts if text]
    if message.link:
        parts.append(_rich("rich_text_section", {"type": "link", "url": message.link}))
    return [*blocks, {"type": "rich_text", "elements": parts}] if parts else blocks


def escaped(text: str) -> str:
    """For the text of a notification, where Slack reads <!channel> and the like."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def slack_findings() -> list[Finding]:
    """What this machine lacks to post to Slack."""
    if find_spec("slack_sdk") is not None:
        return []
    remedy = "pip install 'compass-llm-eval[slack]'"
    message = "posting to Slack needs the package slack-sdk"
    return [Finding(message, Place(key="slack_webhook_url"), remedy, FindingKind.MACHINE)]


def _rich(kind: str, element: dict[str, Any]) -> dict[str, Any]:
    return {"type": kind, "elements": [element]}
