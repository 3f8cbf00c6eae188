"""Posts events in the background, so that nothing a server does can fail or delay a run."""

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

from tenacity import Retrying, retry_if_exception, sleep_using_event, stop_after_attempt, stop_when_event_set
from tenacity.wait import wait_exponential_jitter

from blocks.notifications.events import GROUPED, Event
from blocks.notifications.message import Message
from blocks.notifications.outbox import Outbox
from blocks.notifications.posting import PostError, Target

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pace:
    """How often and how long, in seconds."""

    between_posts: float = 0.5
    """Lark takes five messages a second and a hundred a minute, Slack one a second and a few more at times."""
    hold: float = 20.0
    """How long the first failure waits for others; doubled with every group, up to `longest_hold`."""
    longest_hold: float = 600.0
    attempts: int = 3
    first_wait: float = 1.0
    longest_wait: float = 20.0
    timeout: float = 10.0
    """Of each wait for the network."""


class Courier:
    """One target and the thread that posts to it."""

    def __init__(self, target: Target, compose: Callable[[Event], Message], pace: Pace = Pace()) -> None:
        self._target = target
        self._compose = compose
        self._pace = pace
        self._outbox = Outbox()
        self._closing = threading.Event()
        self._told = False
        self._next_post = 0.0
        # A daemon: a server that never answers does not keep the process from ending.
        self._thread = threading.Thread(target=self._work, name=f"alerts {target.name}", daemon=True)
        self._thread.start()

    def send(self, event: Event) -> None:
        """Takes the event and returns at once."""
        self._outbox.put(event)

    def close(self) -> None:
        """Nothing more will come: what waits is posted without further retries."""
        self._outbox.close()
        self._closing.set()

    def join(self, seconds: float) -> None:
        """Waits for the last posts; what is not posted then is lost, and that is said."""
        self._thread.join(max(0.0, seconds))
        if self._thread.is_alive():
            self._tell("the last messages were not accepted in time")
        if self._outbox.lost:
            _log.warning("%s: %d messages were left out", self._target.name, self._outbox.lost)

    def _work(self) -> None:
        hold = self._pace.hold
        while (event := self._outbox.take(hold)) is not None:
            if event.kind in GROUPED:
                hold = min(2 * hold, self._pace.longest_hold)
            try:
                self._deliver(self._compose(event))
            except Exception as error:  # noqa: BLE001  # a fault in a message must not end the messages
                self._tell(str(error) if isinstance(error, PostError) else type(error).__name__)

    def _deliver(self, message: Message) -> None:
        pace = self._pace
        attempts = Retrying(
            retry=retry_if_exception(lambda error: isinstance(error, PostError) and error.temporary),
            stop=stop_after_attempt(pace.attempts) | stop_when_event_set(self._closing),
            wait=wait_exponential_jitter(pace.first_wait, pace.longest_wait),
            sleep=sleep_using_event(self._closing),
            reraise=True,
        )
        attempts(self._post, message)

    def _post(self, message: Message) -> None:
        time.sleep(max(0.0, self._next_post - time.monotonic()))
        try:
            self._target.post(message, self._pace.timeout)
        finally:
            self._next_post = time.monotonic() + self._pace.between_posts

    def _tell(self, reason: str) -> None:
        if not self._told:
            self._told = True
            _log.warning("messages to %s do not arrive: %s (said once)", self._target.name, reason)
