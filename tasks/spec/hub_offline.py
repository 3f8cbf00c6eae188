"""The variables that forbid the Hugging Face hub, and the remedy where it cannot be reached."""

import os
from collections.abc import Iterable

OFFLINE_VARIABLES = ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_EVALUATE_OFFLINE", "TRANSFORMERS_OFFLINE")
"""Those of all its libraries."""


def offline_variable(names: Iterable[str]) -> str:
    """The first of these variables that forbids the network, or an empty string."""
    return next((name for name in names if os.environ.get(name, "").upper() in ("1", "ON", "YES", "TRUE")), "")


def hub_remedy(what: str, offline: str) -> str:
    """What to do where the hub cannot be reached, for data or a model; `offline` is the variable that forbids it."""
    ask = f"unset {offline} to ask the hub" if offline else "set HF_ENDPOINT to a mirror or https_proxy to your proxy"
    return f"{ask}, or copy the folder ~/.cache/huggingface (HF_HOME) from a machine that has the {what}"
