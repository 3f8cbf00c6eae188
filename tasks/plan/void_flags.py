"""Flags that would change nothing: each is said when a run is planned."""

from collections.abc import Iterator, Sequence

from tasks.plan.request import HFModel, RunRequest
from tasks.plan.run_plan import PairPlan
from tasks.spec.findings import Finding, FindingKind

_STAGE_OF = {
    "dump_res_length": "infer",
    "cache": "infer",
    "max_samples": "infer",
    "max_tokens": "infer",
    "max_cost": "infer",
    "max_minutes": "infer",
    "dump_eval_details": "eval",
    "dump_extract_rate": "eval",
    "unsafe_code_execution": "eval",
    "analysis_repeat": "viz",
}
"""The stage in which an option works; scoring asks judges, whose answers are cached and counted too."""
_ASKS = ("cache", "max_samples", "max_tokens", "max_cost", "max_minutes")
_DATASET_WINS = ("max_out_len", "min_out_len", "batch_size")


def void_flags(request: RunRequest, pairs: Sequence[PairPlan]) -> list[Finding]:
    """One warning for each flag without an effect, beside those of runners."""
    return [Finding(message, kind=FindingKind.WARNING) for message in _messages(request, pairs)]


def _messages(request: RunRequest, pairs: Sequence[PairPlan]) -> Iterator[str]:
    for name, stage in _STAGE_OF.items():
        runs = request.mode in ("all", stage) or (name in _ASKS and request.mode == "eval")
        if request.is_changed(name) and not runs:
            yield f"{_flag(name)} has no effect with --mode {request.mode}"
    if request.config is not None and request.config_dir is not None:
        yield "--config-dir has no effect beside a configuration file: it is searched for names"
    is_dlc = (request.runner or "").rpartition(".")[2] in ("dlc", "DLCRunner")
    if request.is_changed("aliyun_cfg") and not is_dlc:
        yield f"--aliyun-cfg {request.aliyun_cfg} has no effect without --dlc"
    if request.hf is not None:
        yield from _of_hugging_face(request.hf, pairs)


def _of_hugging_face(model: HFModel, pairs: Sequence[PairPlan]) -> Iterator[str]:
    if model.peft_kwargs and not model.peft_path:
        yield "--peft-kwargs has no effect without --peft-path"
    for name in _DATASET_WINS:
        if name not in model.model_fields_set:
            continue
        own = {pair.dataset.abbr: value for pair in pairs if (value := pair.dataset.inferencer.get(name))}
        value = getattr(model, name)
        for limit in sorted({limit for limit in own.values() if limit != value}):
            datasets = ", ".join(abbr for abbr, its in own.items() if its == limit)
            yield f"{_flag(name)} {value} has no effect on {datasets}: the dataset says {name}={limit}"


def _flag(name: str) -> str:
    return f"--{name.replace('_', '-')}"
