"""`compass notify`: posts a message, to see that messages arrive."""

import argparse
import os
from collections.abc import Sequence
from typing import cast, get_args

from blocks.notifications.events import Event, EventKind
from blocks.notifications.lark import DEFAULT_FORM, LarkForm, LarkTarget
from blocks.notifications.message import Message, compose, one_line, printable
from blocks.notifications.posting import PostError, Target, host_of
from blocks.notifications.slack import SlackTarget, slack_findings
from blocks.notifications.templates import load_templates
from flows.alerts.sender import load_blocks, who
from flows.output.console import say
from tasks.spec.findings import UserError

_LONGEST = 8000
_SAMPLE = ({"dataset": "a dataset", "metric": "accuracy", "a model": "62.50"},)


def main(argv: Sequence[str]) -> int:
    """Posts to the target; 1 if it was not accepted."""
    arguments = _parser().parse_args(argv)
    if not arguments.test and arguments.text is None:
        raise UserError("give a text to post, or --test")
    target = _target(arguments.target, arguments.service, arguments.form)
    try:
        target.post(_message(arguments))
    except PostError as error:
        say(f"not accepted by {target.name}: {error}")
        return 1
    say(f"accepted by {target.name}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="compass notify",
        description="Posts a message to a Lark bot, a Slack webhook or any notification block that Prefect has saved.",
        epilog="A bot that wants signed messages has its secret in $LARK_BOT_SECRET.",
    )
    parser.add_argument("target", metavar="NAME|URL", help="saved block (TYPE/NAME or NAME), or address of a webhook")
    parser.add_argument("text", nargs="?", metavar="TEXT", help="what to post")
    parser.add_argument("--test", action="store_true", help="post a test message with a small table")
    parser.add_argument("--title", default="", help="title above the text")
    parser.add_argument("--service", choices=("lark", "slack"), help="whose webhook the URL is (default: by its host)")
    parser.add_argument(
        "--form",
        choices=get_args(LarkForm),
        default=DEFAULT_FORM,
        help=f"form of a Lark message (default: {DEFAULT_FORM})",
    )
    return parser


def _target(name: str, service: str | None, form: str) -> Target:
    if not name.startswith(("http://", "https://")):
        return load_blocks((name,))[0]
    if service == "slack" or (service is None and host_of(name).endswith("slack.com")):
        if findings := slack_findings():
            raise UserError(findings)
        return SlackTarget(name)
    return LarkTarget(name, os.environ.get("LARK_BOT_SECRET", ""), cast(LarkForm, form))


def _message(arguments: argparse.Namespace) -> Message:
    if arguments.text is None:
        return compose(Event(EventKind.TEST, who(), table=_SAMPLE), load_templates(), str)
    lines = printable(arguments.text)[:_LONGEST].splitlines()
    return Message(one_line(arguments.title or "Compass", 150), tuple(lines))
