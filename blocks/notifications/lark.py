"""Lark (Feishu): posting to the webhook of a custom bot.

https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot: forms of messages, signature, limits, codes.
"""

import base64
import hashlib
import hmac
import json
import re
import time
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from blocks.notifications.message import Message, Tone, shorter
from blocks.notifications.posting import TIMEOUT_S, PostError, check_status, host_of, post_json, reason
from tasks.spec.storage.json_text import parse_json

LarkForm = Literal["text", "post", "card"]
DEFAULT_FORM: LarkForm = "post"
"""OpenCompass sends texts and rich-text posts; a card is ours."""

_MOST_BYTES = 20_000
"""Lark refuses longer bodies (20 KB)."""
_TEMPORARY = frozenset({9499, 11232, 11233})
"""Codes of requests that came too fast."""
_COLOURS = {Tone.GOOD: "green", Tone.BAD: "red", Tone.WARNING: "orange", Tone.NEUTRAL: "blue"}
_MENTION = re.compile(r"<(?=\s*+/?\s*+at\b)", re.IGNORECASE)


@dataclass(frozen=True)
class LarkTarget:
    """The webhook of a custom bot."""

    url: str = field(repr=False)
    secret: str = field(default="", repr=False)
    """For bots that want their messages signed."""
    form: LarkForm = DEFAULT_FORM

    @property
    def name(self) -> str:
        return f"Lark ({host_of(self.url)})"

    def post(self, message: Message, timeout: float = TIMEOUT_S) -> None:
        """Posts once; PostError if Lark did not accept it, which it also says with status 200 and a code."""
        secrets = (self.url, self.url.rpartition("/")[2], self.secret)
        answer = post_json(self.url, self._body(message), timeout)
        check_status(answer, secrets)
        code, text = _verdict(answer.body)
        if code != 0:
            raise PostError(
                reason(f"code {code}: {text}", secrets), temporary=isinstance(code, int) and code in _TEMPORARY
            )

    def _body(self, message: Message) -> bytes:
        body = b""
        for version in shorter(message):
            content = lark_payload(version, self.form)
            if self.secret:
                now = int(time.time())
                content = {"timestamp": str(now), "sign": signature(now, self.secret), **content}
            body = json.dumps(content, ensure_ascii=False).encode()
            if len(body) <= _MOST_BYTES:
                break
        return body


def signature(timestamp: int, secret: str) -> str:
    """Base64 of an HMAC-SHA256 of nothing, keyed with the time in seconds, a line feed and the secret."""
    key = f"{timestamp}\n{secret}".encode()
    return base64.b64encode(hmac.new(key, b"", hashlib.sha256).digest()).decode()


def lark_payload(message: Message, form: LarkForm) -> dict[str, Any]:
    """The body of a request; nothing in the message is read as markup."""
    if form == "text":
        text = _MENTION.sub("＜", "\n".join(part for part in (message.title, message.text) if part))
        return {"msg_type": "text", "content": {"text": text}}
    if form == "post":
        content = {"zh_cn": {"title": message.title, "content": _paragraphs(message)}}
        return {"msg_type": "post", "content": {"post": content}}
    return {"msg_type": "interactive", "card": _card(message)}


def _paragraphs(message: Message) -> list[list[dict[str, str]]]:
    texts = [*message.lines, *([message.table.text] if message.table else []), *([message.log] if message.log else [])]
    paragraphs = [[{"tag": "text", "text": text}] for text in texts]
    if message.link:
        paragraphs.append([{"tag": "a", "text": message.link, "href": message.link}])
    return paragraphs


def _card(message: Message) -> dict[str, Any]:
    elements = [_plain(text) for text in ("\n".join(message.lines), message.log) if text]
    if message.table:
        elements.append(_table(message.table.header, message.table.rows))
    if message.link:
        button = {"tag": "button", "text": {"tag": "plain_text", "content": "Open"}, "url": message.link}
        elements.append({"tag": "action", "actions": [{**button, "type": "primary"}]})
    title = {"tag": "plain_text", "content": message.title}
    return {"header": {"title": title, "template": _COLOURS[message.tone]}, "elements": elements}


def _plain(text: str) -> dict[str, Any]:
    return {"tag": "div", "text": {"tag": "plain_text", "content": text}}


def _table(header: tuple[str, ...], rows: tuple[tuple[str, ...], ...]) -> dict[str, Any]:
    columns = [
        {"name": f"c{number}", "display_name": name, "data_type": "text"} for number, name in enumerate(header[:50])
    ]
    values = [{f"c{number}": cell for number, cell in enumerate(row[:50])} for row in rows]
    return {"tag": "table", "page_size": 10, "columns": columns, "rows": values}


def _verdict(body: str) -> tuple[Any, str]:
    """Lark's code and what it says; webhooks of older bots call them otherwise."""
    try:
        answer = parse_json(body)
    except ValueError:
        answer = None
    said = cast(dict[str, Any], answer) if isinstance(answer, dict) else {}
    if not {"code", "StatusCode"} & said.keys():
        raise PostError("the answer is not one of Lark's", temporary=False)
    return said.get("code", said.get("StatusCode")), str(said.get("msg", said.get("StatusMessage", "")))
