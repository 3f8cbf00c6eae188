"""The GPUs of this machine and how many tasks they can run at once."""

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

from tasks.models.engines.gpu_allocation import visible_gpus
from tasks.spec.findings import Finding, FindingKind
from tasks.spec.specs import ModelSpec


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


def check_gpus(models: Sequence[ModelSpec]) -> list[Finding]:
    """Models that need more GPUs than there are."""
    present = len(visible_gpus())
    return [
        Finding(
            f"{model.abbr} needs {model.num_gpus} GPU{'s' * (model.num_gpus > 1)}, but {present or 'none'} can be seen",
            model.place,
            "run it where they are, set CUDA_VISIBLE_DEVICES, or run_cfg.num_gpus "
            "(--hf-num-gpus beside --hf-path): 0 loads the model on the CPU",
            FindingKind.MACHINE,
        )
        for model in models
        if model.num_gpus > present
    ]
