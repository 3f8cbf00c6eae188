"""`--offline`: nothing but the models' own addresses is asked over the network."""

import os

_VARIABLES = ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE", "HF_EVALUATE_OFFLINE", "TRANSFORMERS_OFFLINE")


def go_offline() -> None:
    """Tells every library of this process and its children; what is missing is then named at once."""
    for name in _VARIABLES:
        os.environ[name] = "1"
