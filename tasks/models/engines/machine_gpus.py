"""The GPUs that CUDA programs of this process can use."""

import os
import re
import shutil
import subprocess
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

CUDA = "CUDA_VISIBLE_DEVICES"
ASCEND = "ASCEND_RT_VISIBLE_DEVICES"
_SMI_SECONDS = 20
_GPU_LINE = re.compile(r"^GPU \d+: .*\(UUID: (GPU-[^)\s]+)\)")
_MIG_LINE = re.compile(r"^\s+MIG .*\(UUID: (MIG-[^)\s]+)\)")


def visible_gpus() -> list[str]:
    """Those that `CUDA_VISIBLE_DEVICES` (or Ascend's variable) names, else all of this machine."""
    if CUDA in os.environ:
        return _named_gpus(os.environ[CUDA], machine_gpus())
    if ASCEND in os.environ:
        return [gpu.strip() for gpu in os.environ[ASCEND].split(",") if gpu.strip() not in ("", "-1")]
    return _devices(machine_gpus())


def device_variable() -> str:
    """The variable that says which GPUs a process sees here."""
    return next((name for name in (CUDA, ASCEND) if name in os.environ), CUDA)


def _named_gpus(value: str, present: list[list[str]]) -> list[str]:
    """What CUDA makes of the variable: nothing behind an entry it does not know, and nothing at all for a repeated one.

    CUDA C++ Programming Guide, "CUDA Environment Variables". Where the GPUs of the machine are unknown, every number
    and every UUID counts.
    """
    named: list[str] = []
    for word in value.split(","):
        gpu = word.strip()
        is_known = gpu.isdecimal() and (not present or int(gpu) < len(present))
        if not is_known and not gpu.startswith(("GPU-", "MIG-")):
            break
        if gpu in named:
            return []
        named.append(gpu)
    return named


def _devices(present: list[list[str]]) -> list[str]:
    """Every GPU by its number, or by the UUIDs of its MIG instances where it is divided."""
    return [name for number, instances in enumerate(present) for name in instances or [str(number)]]


@cache
def machine_gpus() -> list[list[str]]:
    """For each GPU the UUIDs of its MIG instances: by NVML, else `nvidia-smi`, else the device files."""
    found = _from_nvml()
    if found is None:
        found = _from_nvidia_smi()
    return found if found is not None else [[] for _ in Path("/dev").glob("nvidia[0-9]*")]


def _from_nvml() -> list[list[str]] | None:
    """By the package nvidia-ml-py; None where it is missing or finds no driver."""
    try:
        nvml: Any = import_module("pynvml")
        nvml.nvmlInit()
    except Exception:  # noqa: BLE001  packages of this name differ in what they raise without a driver
        return None
    try:
        return [
            _instances(nvml, nvml.nvmlDeviceGetHandleByIndex(number)) for number in range(nvml.nvmlDeviceGetCount())
        ]
    except nvml.NVMLError:
        return None
    finally:
        nvml.nvmlShutdown()


def _instances(nvml: Any, handle: Any) -> list[str]:
    try:
        enabled, _ = nvml.nvmlDeviceGetMigMode(handle)
        if not enabled:
            return []
        count = nvml.nvmlDeviceGetMaxMigDeviceCount(handle)
    except nvml.NVMLError:
        return []
    found: list[str] = []
    for number in range(count):
        try:
            instance = nvml.nvmlDeviceGetMigDeviceHandleByIndex(handle, number)
        except nvml.NVMLError:
            continue  # fewer instances were made than the GPU could hold
        uuid = nvml.nvmlDeviceGetUUID(instance)
        found.append(uuid.decode() if isinstance(uuid, bytes) else str(uuid))
    return found


def _from_nvidia_smi() -> list[list[str]] | None:
    """By `nvidia-smi -L`; None where there is no such program or it fails."""
    program = shutil.which("nvidia-smi")
    if program is None:
        return None
    try:
        done = subprocess.run([program, "-L"], capture_output=True, text=True, timeout=_SMI_SECONDS, check=True)
    except (OSError, subprocess.SubprocessError):
        return None
    found: list[list[str]] = []
    for line in done.stdout.splitlines():
        if _GPU_LINE.match(line):
            found.append([])
        elif found and (instance := _MIG_LINE.match(line)):
            found[-1].append(instance[1])
    return found
