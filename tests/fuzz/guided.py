"""A search for inputs that break what reads bytes, led by which code each input reaches; needs the package atheris.

    PYTHONPATH=.:tests .venv/bin/python -P -m fuzz.guided [SECONDS] [TARGET …]

Inputs that break something are kept in build/fuzz, and become test cases.
"""

import logging
import subprocess
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

FOUND = Path(__file__).parents[2] / "build" / "fuzz"
SECONDS = 60
"""Per target."""
_LONGEST = 4096


def search(name: str, seconds: int) -> None:
    """Feeds the target until the time is over; ends the process with another status where something broke."""
    atheris: Any = import_module("atheris")
    logging.disable(logging.WARNING)
    with atheris.instrument_imports(include=["tasks", "flows", "blocks"]):
        from fuzz.targets import SEEDS, TARGETS

    seeds = FOUND / "seeds" / name
    seeds.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(SEEDS[name]):
        (seeds / str(number)).write_bytes(seed)
    limits = [f"-max_total_time={seconds}", f"-max_len={_LONGEST}", "-timeout=20", "-rss_limit_mb=2000"]
    atheris.Setup(
        [sys.argv[0], *limits, "-verbosity=0", f"-artifact_prefix={FOUND}/{name}-", str(seeds)], TARGETS[name]
    )
    atheris.Fuzz()


def main(arguments: list[str]) -> int:
    """Searches in a process for each target; 1 if anything broke."""
    if find_spec("atheris") is None:
        sys.stdout.write("guided search left out: the package atheris is not installed\n")
        return 0
    from fuzz.targets import TARGETS

    seconds = int(arguments[0]) if arguments else SECONDS
    broken: list[str] = []
    for name in arguments[1:] or TARGETS:
        command = [sys.executable, "-P", "-m", "fuzz.guided", "--one", name, str(seconds)]
        if subprocess.run(command, check=False).returncode:
            broken.append(name)
    sys.stdout.write(f"broken: {', '.join(broken) or 'nothing'}\n")
    return int(bool(broken))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--one"]:
        search(sys.argv[2], int(sys.argv[3]))
    else:
        sys.exit(main(sys.argv[1:]))
