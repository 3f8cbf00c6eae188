"""`--offline`: nothing but the models' own addresses is asked over the network."""

import os

from tasks.spec.hub_offline import OFFLINE_VARIABLES


def go_offline() -> None:
    """Tells every library of this process and its children; what is missing is then named at once."""
    for name in OFFLINE_VARIABLES:
        os.environ[name] = "1"
