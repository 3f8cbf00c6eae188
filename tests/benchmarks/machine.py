"""What figures were measured on."""

import os
import sys
from importlib.metadata import version
from pathlib import Path

_PACKAGES = ("prefect", "aiohttp", "pydantic", "orjson")


def machine() -> dict[str, str]:
    """Processor, memory, system and versions, in words."""
    info = Path("/proc/cpuinfo").read_text().splitlines()
    model = next((line.partition(":")[2].strip() for line in info if line.startswith("model name")), "unknown")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = os.uname()
    return {
        "processor": f"{model}, {os.cpu_count()} cores",
        "memory": f"{memory:.0f} GiB",
        "system": f"{system.sysname} {system.release}, {system.machine}",
        "versions": ", ".join([f"Python {sys.version.split()[0]}", *(f"{name} {version(name)}" for name in _PACKAGES)]),
    }
