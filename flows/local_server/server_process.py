"""The local Prefect server's own process: Prefect's `server start`, ended when its keeper is gone.

Started by the keeper as `python -P -m flows.local_server.server_process DESCRIPTOR`. The descriptor is the reading end
of a pipe. Only the keeper has the writing end, so the server ends when the keeper does, however that happens.
"""

import os
import runpy
import signal
import sys
import threading
import time

from flows.local_server.database import patient_database

_GRACE_S = 10.0


def main() -> None:
    """Becomes the server; ends when the pipe to the keeper closes."""
    threading.Thread(target=_end_with_keeper, args=(int(sys.argv[1]),), daemon=True).start()
    sys.argv = ["prefect", "server", "start"]
    with patient_database():
        runpy.run_module("prefect", run_name="__main__", alter_sys=True)


def _end_with_keeper(pipe: int) -> None:
    while os.read(pipe, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_GRACE_S)
    os._exit(1)


if __name__ == "__main__":
    main()
