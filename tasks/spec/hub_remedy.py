"""The remedy where the Hugging Face hub cannot be reached."""

import os


def hub_remedy(what: str) -> str:
    """What to do where the hub cannot be reached, for data or a model."""
    offline = next((name for name in ("HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE") if os.environ.get(name)), "")
    ask = f"unset {offline} to ask the hub" if offline else "set HF_ENDPOINT to a mirror or https_proxy to your proxy"
    return f"{ask}, or copy the folder ~/.cache/huggingface (HF_HOME) from a machine that has the {what}"
