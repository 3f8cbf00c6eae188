"""`python -m flows.tools NAME …` is `compass NAME …`."""

import sys

from flows.terminal.cli import main
from flows.terminal.tools import TOOLS

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in TOOLS:
        sys.exit(main(["--help"], program="python -m flows.tools"))
    sys.exit(main(sys.argv[1:]))
