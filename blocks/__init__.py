"""What has an address or a secret. `prefect block register -m blocks` registers the Prefect blocks among it.

They are found when they are asked for: importing this package imports no Prefect.
"""

from importlib import import_module
from typing import Any

_CLUSTERS = "blocks.clusters.block"
_OTHERS = {
    "LarkWebhook": "blocks.notifications.block",
    "SlackWebhook": "blocks.notifications.block",
    "DatabaseBlock": "blocks.station.block",
}
"""Prefect block → the module that defines it."""


def __getattr__(name: str) -> Any:
    if name in _OTHERS:
        return getattr(import_module(_OTHERS[name]), name)
    if name.endswith("Block"):
        return getattr(import_module(_CLUSTERS), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_OTHERS, *import_module(_CLUSTERS).BLOCKS])
