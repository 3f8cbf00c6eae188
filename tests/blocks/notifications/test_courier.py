"""Messages in the background: grouped, retried, bounded, and never in anybody's way."""

import logging
import time
from dataclasses import replace

import pytest
from support.webhook_server import LARK_BAD_SIGNATURE, LARK_OK, LARK_TOO_FAST, SilentServer, WebhookServer, unused_url

from blocks.notifications.courier import Courier, Pace
from blocks.notifications.events import Event, EventKind, Failure
from blocks.notifications.lark import LarkTarget
from blocks.notifications.message import Message, compose
from blocks.notifications.templates import load_templates

FAST = Pace(between_posts=0, hold=60, attempts=3, first_wait=0.01, longest_wait=0.02, timeout=5)
TEMPLATES = load_templates()


def told(event: Event) -> Message:
    return compose(event, TEMPLATES, str)


def courier(url: str, pace: Pace = FAST) -> Courier:
    return Courier(LarkTarget(url), told, pace)


def failure(number: int = 0) -> Event:
    return Event(EventKind.PAIR_FAILED, {"run": "r"}, (Failure(f"gpt/data_{number}", "HTTP 500"),), 1)


def event(kind: EventKind) -> Event:
    return Event(kind, {"run": "r", "user": "me"})


def end(courier: Courier, seconds: float = 20) -> None:
    courier.close()
    courier.join(seconds)


def test_500_failures_are_one_message_in_its_place():
    with WebhookServer() as server:
        sender = courier(server.url)
        sender.send(event(EventKind.STARTED))
        for number in range(500):
            sender.send(failure(number))
        sender.send(event(EventKind.INFER_FINISHED))
        end(sender)
    assert [
        title in text for title, text in zip(("Started", "Failed in r: 500", "Inference"), server.texts, strict=True)
    ] == [True] * 3
    assert "490 more" in server.texts[1]


def test_failures_are_told_when_they_waited_long_enough():
    with WebhookServer() as server:
        sender = courier(server.url, replace(FAST, hold=0.05))
        sender.send(failure())
        server.wait(1)
        sender.send(failure())
        server.wait(2)
        end(sender)
    assert len(server.bodies) == 2


def test_what_passes_is_tried_again():
    answers = [(503, ""), LARK_TOO_FAST, LARK_OK]
    with WebhookServer(lambda number: answers[number]) as server:
        sender = courier(server.url)
        sender.send(event(EventKind.STARTED))
        server.wait(3)
        end(sender)
    assert len(server.bodies) == 3


def test_what_does_not_pass_is_tried_so_often_and_said_once(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING), WebhookServer(lambda _: (500, "")) as server:
        sender = courier(server.url)
        sender.send(event(EventKind.STARTED))
        server.wait(3)
        sender.send(event(EventKind.FINISHED))
        server.wait(6)
        end(sender)
    assert len(server.bodies) == 6
    (record,) = caplog.records
    assert "HTTP 500" in record.message and "Lark (127.0.0.1)" in record.message and "hidden" not in record.message


def test_a_refusal_with_status_200_is_said_once(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING), WebhookServer(lambda _: LARK_BAD_SIGNATURE) as server:
        sender = courier(server.url)
        sender.send(event(EventKind.STARTED))
        sender.send(event(EventKind.FINISHED))
        end(sender)
    assert len(server.bodies) == 2
    assert [record.message.count("19021") for record in caplog.records] == [1]


def test_a_server_that_never_answers_holds_nobody_up(caplog: pytest.LogCaptureFixture):
    with caplog.at_level(logging.WARNING), SilentServer() as server:
        started = time.monotonic()
        sender = courier(server.url, replace(FAST, timeout=120))
        for _ in range(300):
            sender.send(event(EventKind.STARTED))
        end(sender, seconds=0.2)
        assert time.monotonic() - started < 60  # far from the 120 s of one post
    assert "in time" in caplog.text and "messages were left out" in caplog.text


def test_closing_ends_the_waiting_between_retries():
    started = time.monotonic()
    sender = courier(unused_url(), replace(FAST, first_wait=120, longest_wait=120))
    sender.send(event(EventKind.STARTED))
    end(sender)
    assert time.monotonic() - started < 60


def test_a_fault_in_a_message_does_not_end_the_messages():
    def broken(event: Event) -> Message:
        if event.kind is EventKind.STARTED:
            raise KeyError("x")
        return told(event)

    with WebhookServer() as server:
        sender = Courier(LarkTarget(server.url), broken, FAST)
        sender.send(event(EventKind.STARTED))
        sender.send(event(EventKind.FINISHED))
        end(sender)
    assert "Finished" in server.texts[0]
