"""The GPUs of this machine and how many tasks they can run at once."""

import re
from collections.abc import Mapping, Sequence
from math import prod
from pathlib import Path
from typing import Any

from tasks.models.engines.machine_gpus import visible_gpus
from tasks.spec.findings import Finding, FindingKind
from tasks.spec.specs import ModelSpec
from tasks.spec.storage.printable import counted

_SMALL_BYTES = 4_000_000_000
_SMALL_PARAMETERS = 2e9
_WEIGHT_FILES = ("*.safetensors", "*.bin", "*.pt")
_SIZE = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)([MmBb])(?![A-Za-z])")
"""The number of parameters in a name such as `opt-125m` or `Qwen2.5-0.5B-Instruct`."""
_UNITS = {"m": 1e6, "b": 1e9}


def tasks_at_once(models: Sequence[ModelSpec], per_gpu: int = 1) -> int:
    """How many tasks run at once where nothing else says so: as many as the models with GPUs find room for.

    `per_gpu` is how many of them may share one GPU.
    """
    needed = [model.num_gpus for model in models if model.num_gpus > 0]
    return max([len(visible_gpus()) // gpus * per_gpu for gpus in needed] + [1])


def check_parallelism(model: ModelSpec, keys: Sequence[str]) -> list[Finding]:
    """A model that is cut for another number of GPUs than it reserves; `keys` name the arguments that cut it."""
    written = {key: value for key in keys if isinstance(value := _argument(model.arguments, key), int)}
    if not written or prod(written.values()) == model.num_gpus:
        return []
    ways = " × ".join(f"{key}={value}" for key, value in written.items())
    message = f"{model.abbr}: {ways}, but run_cfg.num_gpus={model.num_gpus}"
    return [Finding(message, model.place, f"write run_cfg=dict(num_gpus={prod(written.values())})")]


def _argument(arguments: Mapping[str, Any], key: str) -> Any:
    value: Any = arguments
    for name in key.split("."):
        value = value.get(name) if isinstance(value, Mapping) else None
    return value


def check_gpus(model: ModelSpec, *, runs_on_cpu: bool) -> list[Finding]:
    """A model that needs more GPUs than there are; where there are none, a small one may run on the CPU."""
    present = len(visible_gpus())
    if model.num_gpus <= present:
        return []
    needs = f"{model.abbr} needs {counted(model.num_gpus, 'GPU')}, but {present or 'none'} can be seen"
    on_cpu = runs_on_cpu and not present
    if on_cpu and _is_small(model):
        remedy = "run_cfg=dict(num_gpus=0) says that this is intended"
        return [Finding(f"{needs}: it runs on the CPU", model.place, remedy, FindingKind.WARNING)]
    remedy = "run it on a machine with enough GPUs, or set CUDA_VISIBLE_DEVICES or run_cfg.num_gpus"
    if on_cpu:
        remedy += "; num_gpus=0 (--hf-num-gpus 0 beside --hf-path) loads the model on the CPU"
    return [Finding(needs, model.place, remedy, FindingKind.MACHINE)]


def _is_small(model: ModelSpec) -> bool:
    """Whether a CPU answers in bearable time, by the weights if they are a local folder, else by the name."""
    path = str(model.arguments.get("path") or "")
    folder = Path(path).expanduser()
    if folder.is_dir():
        files = [file for pattern in _WEIGHT_FILES for file in folder.glob(pattern)]
        return bool(files) and sum(file.stat().st_size for file in files) <= _SMALL_BYTES
    sizes = [float(number) * _UNITS[unit.lower()] for number, unit in _SIZE.findall(path)]
    return bool(sizes) and max(sizes) <= _SMALL_PARAMETERS
