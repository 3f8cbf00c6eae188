"""What can be known to go wrong before anything is spent."""

import importlib.util
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tasks.plan.checks.model_needs import model_needs
from tasks.plan.gpus import check_gpus, check_parallelism
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import PairPlan, StagePlan
from tasks.spec.finding_places import place_in
from tasks.spec.findings import Finding, FindingKind, Place, UserError
from tasks.spec.names.type_loading import import_type
from tasks.spec.specs import ModelSpec

_LIMITS = ("max_samples", "max_tokens", "max_cost", "max_minutes")
_WEIGHTS = ("path", "tokenizer_path", "peft_path", "lora_path")
_LENGTH_RANGE = re.compile(r"(\d+)?:(\d+)?")


def check_request(request: RunRequest) -> None:
    """UserError, with all of them, for a request that contradicts itself or leaves out what it needs."""
    findings = [
        *_missing_run(request),
        *(_beside_a_file(request) if request.config is not None else _without_a_file(request)),
    ]
    if request.hf is not None and request.models:
        findings.append(Finding("--hf-path would have no effect beside --models", remedy="give one of them"))
    if request.runner == "slurm" and not request.partition:
        findings.append(Finding("--slurm needs to know where to submit to", remedy="add -p PARTITION"))
    if request.prefer == "opencompass" and importlib.util.find_spec("opencompass") is None:
        message = "--prefer opencompass: the package is not installed"
        findings.append(Finding(message, remedy="pip install opencompass", kind=FindingKind.MACHINE))
    if request.length_range is not None and request.length_range not in ("", ":"):
        findings += _length_range_findings(request.length_range)
    if findings:
        raise UserError(findings)


def check_pairs(pairs: Sequence[PairPlan], search_path: tuple[str, ...]) -> list[Finding]:
    """Pairs whose model cannot do what the dataset asks of it; one finding per model and dataset."""
    findings: list[Finding] = []
    for pair in pairs:
        inferencer = importable(pair.dataset.inferencer["type"], search_path)
        model = importable(pair.model.type, search_path)
        if inferencer is None or model is None or not inferencer.scores:
            continue
        what, remedy = "", ""
        if not model.can_score:
            what, remedy = "log-likelihoods", "use the dataset's `_gen` form with this model"
        elif getattr(inferencer, "needs_tokens", False) and not model.can_score_tokens:
            what, remedy = "log-probabilities of single tokens", "ask it through transformers, vLLM, or vLLM's server"
        if what:
            message = f"{pair.model.abbr} cannot compute the {what} that {pair.dataset.abbr} needs"
            findings.append(Finding(message, place_in(pair.dataset, "infer_cfg.inferencer"), remedy))
    return findings


def check_spending(models: Sequence[ModelSpec], infer: StagePlan, request: RunRequest) -> list[Finding]:
    """Limits that cannot hold; one warning each."""
    findings = [
        Finding(
            f"max_cost does not count {model.abbr}, which has no prices",
            place_in(model, "prices"),
            "add prices=dict(input=…, output=…), in dollars per million tokens",
            FindingKind.WARNING,
        )
        for model in models
        if request.max_cost is not None and not model.prices
    ]
    given = [name for name in _LIMITS if getattr(request, name) is not None]
    if given and not infer.in_process:
        message = f"{' and '.join(given)} has no effect on jobs of {infer.runner.rpartition('.')[2]}"
        findings.append(Finding(message, remedy="use --limit, or the local runner", kind=FindingKind.WARNING))
    return findings


def check_machine(
    models: Sequence[ModelSpec], infer: StagePlan, evaluation: StagePlan, request: RunRequest
) -> list[Finding]:
    """What this machine lacks for the stages that are run."""
    findings: list[Finding] = []
    if request.mode in ("all", "infer"):
        classes = [(model, importable(model.type, ())) for model in models]
        for model, model_class in classes:
            findings += model_needs(model, model_class)
            findings += check_parallelism(model, getattr(model_class, "parallel_keys", ()))
        findings += [*infer.needs, *_path_findings(models)]
        if infer.runner.startswith("blocks.clusters.local."):
            for model, model_class in classes:
                findings += check_gpus(model, runs_on_cpu=getattr(model_class, "runs_on_cpu", False))
    if request.mode in ("all", "eval"):
        findings += [finding for finding in evaluation.needs if finding not in findings]
    return findings


def _path_findings(models: Sequence[ModelSpec]) -> list[Finding]:
    """Folders of weights that a model is to be loaded from and that are not there."""
    return [
        Finding(f"{key}: there is nothing at {path}", model.place, "correct the path", FindingKind.MACHINE)
        for model in models
        if not model.is_api
        for key in _WEIGHTS
        if isinstance(path := model.arguments.get(key), str)
        and path.startswith(("/", "./", "../", "~"))
        and not Path(path).expanduser().exists()
    ]


def importable(dotted: str, search_path: tuple[str, ...]) -> Any:
    """The class, or None where it cannot be imported, which the spec's findings have told already."""
    try:
        return import_type(dotted, search_path)
    except UserError:
        return None


def _missing_run(request: RunRequest) -> list[Finding]:
    if request.mode not in ("eval", "viz") or request.reuse or request.read_from_station:
        return []
    message = f"mode {request.mode} reads the files of an earlier run"
    return [
        Finding(message, Place(key="--mode"), "add --reuse, or --reuse TIMESTAMP, to say which; or --read-from-station")
    ]


def _beside_a_file(request: RunRequest) -> list[Finding]:
    given = [flag for flag, value in _named(request).items() if value]
    if not given:
        return []
    message = f"{' and '.join(given)} would have no effect beside a configuration file"
    return [Finding(message, Place(file=request.config), "put it into the file, or leave the file out")]


def _without_a_file(request: RunRequest) -> list[Finding]:
    missing = [] if request.models or request.hf else ["--models (or --hf-path)"]
    missing += [] if request.datasets or request.custom else ["--datasets (or --custom-dataset-path)"]
    if not missing:
        return []
    remedy = f"give a configuration file, or {' and '.join(missing)}"
    return [Finding("nothing says what to evaluate", remedy=remedy)]


def _named(request: RunRequest) -> dict[str, object]:
    return {
        "--models": request.models,
        "--datasets": request.datasets,
        "--summarizer": request.summarizer,
        "--hf-path": request.hf,
        "--custom-dataset-path": request.custom,
        "--dataset-num-runs": request.dataset_num_runs > 1,
    }


def _length_range_findings(text: str) -> list[Finding]:
    match = _LENGTH_RANGE.fullmatch(text)
    remedy = "write it as 0:4096, 4096: or :4096"
    if match is None:
        return [Finding(f"--length-range: {text!r} is not A:B", remedy=remedy)]
    low, high = match.groups()
    if low and high and int(low) > int(high):
        return [Finding(f"--length-range: {text!r} holds nothing", remedy=remedy)]
    return []
