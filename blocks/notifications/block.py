"""The notification blocks: thin shells over the plain modules."""

import asyncio
from abc import ABC
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any, Literal, cast

from prefect.blocks.abstract import NotificationBlock, NotificationError
from prefect.blocks.core import Block
from pydantic import Field, SecretStr

from blocks.notifications.lark import DEFAULT_FORM, LarkForm, LarkTarget
from blocks.notifications.message import Message, calling_nobody, one_line, printable
from blocks.notifications.posting import TIMEOUT_S, PostError, Target
from blocks.notifications.slack import SlackTarget
from blocks.saved_block import load_block
from tasks.spec.findings import Finding, UserError

__all__ = ["LarkWebhook", "SlackWebhook", "load_target"]

_LONGEST = 8000


class _Webhook(NotificationBlock, ABC):
    """What both share: Prefect's own calls, for automations and users' flows."""

    def target(self) -> Target:
        """Where its messages go."""
        raise NotImplementedError

    def notify(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, body: str, subject: str | None = None
    ) -> Coroutine[None, None, None] | None:
        """Posts a text; NotificationError if it was not accepted. To be awaited where an event loop runs."""
        try:
            asyncio.get_running_loop()
        except RuntimeError:
            self._post(body, subject)
            return None
        return self.anotify(body, subject)

    async def anotify(self, body: str, subject: str | None = None) -> None:
        """Like `notify`, for coroutines."""
        await asyncio.to_thread(self._post, body, subject)

    def _post(self, body: str, subject: str | None) -> None:
        lines = printable(body)[:_LONGEST].splitlines()
        try:
            self.target().post(Message(one_line(subject or "Compass", 150), tuple(lines)))
        except PostError as error:
            raise NotificationError(str(error)) from None


class LarkWebhook(_Webhook):
    """Posts to a custom bot of Lark (Feishu)."""

    _block_type_name = "Lark Webhook"
    _block_type_slug = "lark-webhook"

    url: SecretStr = Field(description="Address of the bot, e.g. https://open.feishu.cn/open-apis/bot/v2/hook/…")
    secret: SecretStr = Field(default=SecretStr(""), description="For bots that want their messages signed")
    form: Literal["text", "post", "card"] = Field(default=DEFAULT_FORM, description="Form of the messages")

    def target(self) -> Target:
        form: LarkForm = self.form
        return LarkTarget(self.url.get_secret_value(), self.secret.get_secret_value(), form)


class SlackWebhook(_Webhook):
    """Posts to an incoming webhook of Slack, with Block Kit."""

    _block_type_name = "Compass Slack Webhook"
    _block_type_slug = "compass-slack-webhook"

    url: SecretStr = Field(description="Address of the webhook, e.g. https://hooks.slack.com/services/…")

    def target(self) -> Target:
        return SlackTarget(self.url.get_secret_value())


@dataclass(frozen=True)
class _ForeignTarget:
    """Any other notification block, e.g. those of Prefect for Teams, DingTalk or e-mail."""

    name: str
    block: NotificationBlock

    def post(self, message: Message, timeout: float = TIMEOUT_S) -> None:  # it has its own
        notify = cast(Any, self.block.notify)
        try:
            with self.block.raise_on_failure():
                notify(calling_nobody(message.text or message.title), calling_nobody(message.title))
        except NotificationError as error:
            raise PostError("the block could not post", temporary=True) from error
        except Exception as error:  # noqa: BLE001  # texts of its client's errors may hold the address
            raise PostError(f"the block could not post ({type(error).__name__})", temporary=True) from None


def load_target(name: str) -> Target:
    """The target of a saved block: `TYPE/NAME` of any notification block, or NAME of one of ours.

    UserError if the server has none of that name, or it cannot post.
    """
    slugs = [_slug(block) for block in (LarkWebhook, SlackWebhook)]
    references = [name] if "/" in name else [f"{slug}/{name}" for slug in slugs]
    for reference in references:
        block: Block | None = load_block(Block, reference)
        if isinstance(block, _Webhook):
            return block.target()
        if isinstance(block, NotificationBlock):
            return _ForeignTarget(f"the block {reference}", block)
        if block is not None:
            raise UserError(f"the block {reference} is no notification block")
    remedy = "`prefect block ls` shows the saved ones; docs/alerts.md tells how to save one"
    raise UserError(Finding(f"the Prefect server has no block {' or '.join(references)}", remedy=remedy))


def _slug(block: type[Block]) -> str:
    return str(block.get_block_type_slug())
