"""The automation of the local server that marks runs Crashed when their process is gone without a word."""

from typing import Any

from flows.local_server.health import call
from flows.local_server.prefect_settings import ApiAddress

HEARTBEAT_S = 30
"""Seconds between the heartbeats of a flow run; Prefect takes no less."""
NAME = "Mark dead runs as crashed"
_ENDS = ("Completed", "Failed", "Cancelled", "Crashed", "Paused", "Suspended")


def ensure_automation(address: ApiAddress) -> None:
    """Creates the automation unless one of that name exists; OSError if the server does not take it."""
    found = call(address, "/automations/filter", {"automations": {"name": {"any_": [NAME]}}}, timeout=30)
    if found.status == 200 and not found.body:
        found = call(address, "/automations/", automation(), timeout=30)
    if found.status not in (200, 201):
        raise OSError(f"the server refused the automation for dead runs (HTTP {found.status}): {found.body}")


def automation() -> dict[str, Any]:
    """Its definition for Prefect's API: after a heartbeat comes another one, or an end, in the time of three."""
    heartbeat = "prefect.flow-run.heartbeat"
    return {
        "name": NAME,
        "description": "A run whose process ended without telling the server (killed, out of memory) is crashed.",
        "enabled": True,
        "trigger": {
            "type": "event",
            "posture": "Proactive",
            "match": {"prefect.resource.id": ["prefect.flow-run.*"]},
            "for_each": ["prefect.resource.id"],
            "after": [heartbeat],
            "expect": [heartbeat, *(f"prefect.flow-run.{end}" for end in _ENDS)],
            "threshold": 1,
            "within": 3 * HEARTBEAT_S,
        },
        "actions": [
            {"type": "change-flow-run-state", "state": "CRASHED", "message": "The process of this run is gone."}
        ],
    }
