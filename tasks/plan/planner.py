"""Makes the plan of a run: reads, checks, loads sizes, cuts into shards. Writes nothing, asks no model."""

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

from tasks.data.known_data import unknown_data
from tasks.data.loading import DatasetCache
from tasks.data.offline import go_offline
from tasks.data.rows import plan_rows
from tasks.plan.checks.addresses import check_addresses
from tasks.plan.checks.general import check_machine, check_pairs, check_request, check_spending
from tasks.plan.checks.missing_data import merged_findings
from tasks.plan.checks.prompts import check_prompts
from tasks.plan.checks.scoring import check_scoring
from tasks.plan.configured_options import with_configured_options
from tasks.plan.effective import PlannedStage, effective_values
from tasks.plan.gpus import tasks_at_once
from tasks.plan.length_range import restrict_lengths
from tasks.plan.missing_values import check_questions
from tasks.plan.partitioners import Partitioner, Piece, Sized
from tasks.plan.price_table import with_known_prices
from tasks.plan.request import RunRequest
from tasks.plan.run_plan import PairPlan, PlannedPart, PlannedShard, RunPlan, StagePlan
from tasks.plan.source.configuration import read_source
from tasks.plan.stage_options import (
    RunnerChoice,
    build_partitioner,
    choose_runner,
    default_partitioner,
    flag_findings,
    stage_plan,
)
from tasks.plan.station_path import with_station_path
from tasks.plan.subjective import check_subjective, judged_together
from tasks.plan.void_flags import void_flags
from tasks.prompts.dialogue import SECTIONS
from tasks.spec.findings import Finding, FindingKind, UserError
from tasks.spec.run_spec import RunSpec, StageSpec, build_run_spec
from tasks.spec.shard import FailureBudget, InFlight
from tasks.spec.shared_limits import per_job
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.storage.run_folder import Pair
from tasks.spec.subjective import for_model, is_judged

_INFER_TASK = "tasks.infer.kinds.OpenICLInferTask"
_EVAL_TASK = "tasks.score.kinds.OpenICLEvalTask"
_DEFAULT_WORK_DIR = "outputs/default"
_DEFAULT_BATCH_SIZE = 8


def make_plan(request: RunRequest, own_classes: tuple[str, ...] = ()) -> RunPlan:
    """The whole plan with every finding; UserError where it is impossible to go on planning.

    `own_classes` are folders of the user's classes, where they do not lie beside the configuration.
    """
    check_request(request)
    source = read_source(request, own_classes)
    source = replace(source, values=with_station_path(source.values, request))
    request, values = with_configured_options(request, source.values)
    check_request(request)
    if request.offline:
        go_offline()
    spec, findings = build_run_spec(values, source.search_path, prefer_theirs=request.prefer == "opencompass")
    spec = spec.model_copy(update={"models": with_known_prices(spec.models)})
    data = DatasetCache(source.search_path)
    pairs, data_findings = _pairs(spec, data, request)
    if request.length_range:
        pairs, left_out = restrict_lengths(pairs, request.length_range, request.limit, source.search_path)
        data_findings += left_out
    findings = [
        *source.findings,
        *findings,
        *data_findings,
        *check_pairs(pairs, source.search_path),
        *check_addresses(spec.models, source.search_path),
        *check_questions(pairs, request),
        *check_prompts(pairs, request.limit, source.search_path),
        *check_scoring(pairs, request, source.search_path),
        *check_subjective(pairs),
    ]
    if any(finding.kind is FindingKind.CONFIG for finding in findings):
        raise UserError(findings)
    runners = _runners(spec, request, source.search_path)
    infer = stage_plan(spec.infer, _INFER_TASK, runners["infer"], request, source.search_path)
    evaluation = stage_plan(spec.eval, _EVAL_TASK, runners["eval"], request, source.search_path)
    findings = [
        *findings,
        *check_machine(spec.models, infer, evaluation, request),
        *check_spending(spec.models, infer, request),
        *flag_findings(runners, request),
        *void_flags(request, pairs),
    ]
    stages = {
        "infer": PlannedStage(spec.infer, runners["infer"], _task_type(spec.infer, _INFER_TASK), infer),
        "eval": PlannedStage(spec.eval, runners["eval"], _task_type(spec.eval, _EVAL_TASK), evaluation),
    }
    work_dir = request.work_dir or spec.work_dir or _DEFAULT_WORK_DIR
    return RunPlan(
        request=request,
        source=source.path,
        values=effective_values(values, spec, stages, request, work_dir, source.search_path),
        search_path=source.search_path,
        data=data,
        work_dir=Path(work_dir),
        models=spec.models,
        datasets=spec.datasets,
        pairs=tuple(pairs),
        infer=infer,
        eval=evaluation,
        infer_shards=tuple(_shards(spec, pairs, infer, source.search_path)),
        eval_batches=tuple(judged_together(_batches(spec.eval, pairs, evaluation, source.search_path), spec.datasets)),
        summarizer=spec.summarizer,
        budget=FailureBudget(limit=request.fail_on_error),
        findings=tuple(findings),
        unsafe_code_execution=request.unsafe_code_execution or spec.eval.unsafe_code_execution,
    )


def _task_type(stage: StageSpec, default: str) -> str:
    return stage.task.type if stage.task else default


def _runners(spec: RunSpec, request: RunRequest, search_path: tuple[str, ...]) -> dict[str, RunnerChoice]:
    workers = tasks_at_once(spec.models, request.max_workers_per_gpu or 1)
    return {
        "infer": choose_runner(spec.infer, request, search_path, workers),
        "eval": choose_runner(spec.eval, request, search_path, 1),
    }


def _pairs(spec: RunSpec, data: DatasetCache, request: RunRequest) -> tuple[list[PairPlan], list[Finding]]:
    """All pairs with their sizes; data that is not there is a finding."""
    loaded: dict[str, tuple[Any, int] | None] = {}
    missing: list[tuple[DatasetSpec, Finding]] = []
    for dataset in spec.datasets if _needs_data(request) else ():
        try:
            content = data.load(dataset)
            loaded[dataset.abbr] = content, len(plan_rows(dataset, content, request.limit))
        except UserError as error:
            missing += [(dataset, finding) for finding in error.findings]
    findings = merged_findings(missing)
    findings += unknown_data((dataset, found[0]) for dataset in spec.datasets if (found := loaded.get(dataset.abbr)))
    pairs = [
        PairPlan(model, dataset, *(loaded.get(dataset.abbr) or (None, None))) for model, dataset in _combinations(spec)
    ]
    return pairs, findings


def _needs_data(request: RunRequest) -> bool:
    """To ask, to know lengths, or to know whether results are of the same data."""
    return request.mode in ("all", "infer") or bool(request.length_range) or request.read_from_station


def _combinations(spec: RunSpec) -> list[tuple[ModelSpec, DatasetSpec]]:
    every = [(model, for_model(dataset, model.abbr, spec.models)) for model in spec.models for dataset in spec.datasets]
    if spec.model_dataset_combinations is None:
        return every
    wanted = {pair for combination in spec.model_dataset_combinations for pair in product(*combination)}
    return [(model, dataset) for model, dataset in every if (model.abbr, dataset.abbr) in wanted]


def _shards(
    spec: RunSpec, pairs: Sequence[PairPlan], stage: StagePlan, search_path: tuple[str, ...]
) -> list[PlannedShard]:
    partitioner = build_partitioner(
        spec.infer, stage.max_num_workers, search_path, default=default_partitioner("infer")
    )
    shards: list[PlannedShard] = []
    for model in spec.models:
        own = [pair for pair in pairs if pair.model is model]
        tasks = partitioner.partition([_sized(pair) for pair in own])
        jobs = 1 if stage.in_process else min(stage.max_num_workers, len(tasks))
        for task in tasks:
            parts = tuple(_part(own, piece) for piece in task)
            datasets = [own[piece.dataset].dataset for piece in task]
            shards.append(PlannedShard(model, parts, per_job(_in_flight(model, datasets, stage), jobs)))
    return shards


def _sized(pair: PairPlan) -> Sized:
    return Sized(pair.dataset.abbr, pair.samples or 0, _label_count(pair.dataset))


def _label_count(dataset: DatasetSpec) -> int | None:
    """How many labels the dataset's template has; None where it is one text for all."""
    template = (dataset.infer_cfg.get("prompt_template") or dataset.infer_cfg.get("ice_template") or {}).get("template")
    return len(template) if isinstance(template, dict) and not set(template) <= set(SECTIONS) else None


def _part(pairs: Sequence[PairPlan], piece: Piece) -> PlannedPart:
    return PlannedPart(pairs[piece.dataset].pair, piece.start, piece.stop, piece.number)


def _in_flight(model: ModelSpec, datasets: Sequence[DatasetSpec], stage: StagePlan) -> InFlight:
    """`batch_size` holds per task, a dataset's own first; `max_workers` per model for the concurrent task."""
    rate = model.arguments.get("query_per_second")
    max_workers = model.arguments.get("max_workers")
    if stage.task == "OpenICLInferConcurrentTask":
        return InFlight(scope="model", limit=max_workers or _default_max_workers(), query_per_second=rate)
    own = [size for dataset in datasets if (size := dataset.inferencer.get("batch_size"))]
    return InFlight(
        scope="task", limit=max(own, default=model.batch_size or _DEFAULT_BATCH_SIZE), query_per_second=rate
    )


def _batches(
    stage: StageSpec, pairs: Sequence[PairPlan], plan: StagePlan, search_path: tuple[str, ...]
) -> list[tuple[Pair, ...]]:
    """Pairs that one task scores: as the partitioner says, else each pair by itself."""
    pairs = [pair for pair in pairs if is_judged(pair.dataset, pair.model.abbr)]
    partitioner: Partitioner = build_partitioner(
        stage, plan.max_num_workers, search_path, default=default_partitioner("eval")
    )
    tasks = partitioner.partition([_sized(pair) for pair in pairs])
    return [tuple(pairs[piece.dataset].pair for piece in task) for task in tasks]


def _default_max_workers() -> int:
    """OpenCompass's default for its concurrent task."""
    return min(32, (os.cpu_count() or 1) + 4)
