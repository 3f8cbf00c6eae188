"""What Prefect finds of Compass in every server, worker and command line: its blocks and its worker types."""

from blocks.clusters.block import DaskBlock, DLCBlock, LocalBlock, RJOBBlock, SlurmBlock, VOLCBlock
from blocks.clusters.worker import DLCWorker, RJOBWorker, SlurmWorker, VOLCWorker
from blocks.notifications.block import LarkWebhook, SlackWebhook
from blocks.station.block import DatabaseBlock

__all__ = [
    "DLCBlock",
    "DLCWorker",
    "DaskBlock",
    "DatabaseBlock",
    "LarkWebhook",
    "LocalBlock",
    "RJOBBlock",
    "RJOBWorker",
    "SlackWebhook",
    "SlurmBlock",
    "SlurmWorker",
    "VOLCBlock",
    "VOLCWorker",
]
