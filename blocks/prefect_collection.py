"""What Prefect finds of Compass in every server, worker and command line: its blocks and its worker types."""

from typing import Any

from blocks.clusters.block import BLOCKS
from blocks.clusters.worker import WORKERS
from blocks.notifications.block import LarkWebhook, SlackWebhook
from blocks.station.block import DatabaseBlock

TYPES: dict[str, Any] = {
    **BLOCKS,
    **WORKERS,
    **{each.__name__: each for each in (DatabaseBlock, LarkWebhook, SlackWebhook)},
}
"""Block and worker classes by name."""
