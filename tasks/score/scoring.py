"""Scores a pair: reads its predictions, extracts the answers, evaluates them, writes the results file."""

import logging
import platform
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from tasks.data.interface import LoadedDataset, PlannedRow
from tasks.data.loading import load_dataset
from tasks.data.rows import plan_rows
from tasks.infer.asked_rows import changed_rows
from tasks.score.components import EvaluatorFactory, reference_step
from tasks.score.evaluation import evaluate, wanted_fields
from tasks.score.files.predictions import check_predictions, missing_shard, read_predictions
from tasks.score.files.references import references_of
from tasks.score.files.results import PairScore, SampleCounts, write_results
from tasks.score.files.samples import Samples, SampleView
from tasks.score.interface import ExtractionStatus
from tasks.score.judging.pair_judges import PairJudges
from tasks.score.judging.session import JudgeSession
from tasks.score.metrics.pair_metrics import Question, join
from tasks.score.metrics.replicas import NOT_FOUND, Replica, is_guess, judged_replica
from tasks.score.metrics.totals import Totals
from tasks.score.read_samples import SampleReader
from tasks.score.result_details import sample_details
from tasks.score.score_error import ScoreError
from tasks.score.score_key import SCORERS_VERSION, is_scored, score_key
from tasks.spec.findings import UserError
from tasks.spec.specs import DatasetSpec, ModelSpec
from tasks.spec.status import Status
from tasks.spec.storage.run_folder import Pair, RunFolder

__all__ = ["PairScore", "ScoreError", "is_scored", "score_key", "score_pair"]

_log = logging.getLogger(__name__)
_NAMED = 5
"""Changed rows that are named."""


def score_pair(
    model: ModelSpec,
    dataset: DatasetSpec,
    folder: RunFolder,
    *,
    dump_details: bool = True,
    extract_rate: bool = False,
    search_path: Sequence[str] = (),
    limit: int | None = None,
    unsafe_code_execution: bool = False,
    rescore_changed: bool = False,
    judging: JudgeSession | None = None,
) -> PairScore:
    """Scores the pair's predictions and writes `results/<model>/<dataset>.json`.

    `extract_rate` makes the share of answers in which something was found a metric. `limit` is that of the inference:
    only the first rows of the selection are planned. With `unsafe_code_execution`
    programs that the model wrote run without a sandbox where there is none. `judging` asks the judges of evaluators
    that have some. With `rescore_changed` predictions and rows that are not those of the run are scored, and the score
    is marked. Raises ScoreError with the reason in words, JudgingStopped if judges may be asked no more; an
    existing results file then stays as it was.
    """
    pair = Pair(model.abbr, dataset.abbr)
    if dataset.eval_cfg.get("model_postprocessor"):
        raise ScoreError("eval_cfg.model_postprocessor is not supported: use pred_postprocessor")
    out_dir = str(folder.results(pair)).removesuffix(".json")
    factory = EvaluatorFactory(dataset, out_dir, search_path, unsafe_code_execution=unsafe_code_execution)
    data, rows = _load(dataset, search_path, limit)
    totals = Totals()
    changes = _changes(pair, folder, dataset, data, rows)
    if changes and not rescore_changed:
        raise ScoreError(f"{'; '.join(changes)}: --rescore-changed scores them all the same, and marks the score")
    for change in changes:
        _log.warning("%s/%s: %s", *pair, change)
    reader = SampleReader(model, dataset, search_path, wanted_fields(factory))
    samples = reader.read(read_predictions(folder, pair), rows, totals)
    if len(samples) < len(rows):
        hint = missing_shard(folder, pair) or "finish the inference, or name the --limit it was run with"
        raise ScoreError(f"partial: {len(samples)} of {len(rows)} samples have predictions ({hint})")
    references = references_of(samples, data, dataset, reference_step(dataset, search_path))
    judges = PairJudges(judging, folder, pair, dataset, data, search_path)
    replicas = _replicas(factory, samples, dataset.n, references, data, totals, judges)
    subdivision = _subdivision(dataset, data)
    metrics = join(replicas, dataset, subdivision, _question(data))
    counts = _counts(samples, replicas)
    if extract_rate:
        metrics.values["extract_rate"] = counts.extract_rate
    score = PairScore(
        pair,
        metrics.values,
        counts,
        score_key(model, dataset, folder),
        folder.results(pair),
        stderr=metrics.stderr,
        strict=metrics.strict,
        shares=metrics.shares,
        scales=metrics.scales,
        more={
            **({"changed": changes} if changes else {}),
            "rows": {"asked": len(rows) // dataset.n, "all": len(data.test)},
            **_more(replicas, totals, factory.library_versions),
            **judges.to_json(),
        },
    )
    passes = [read_predictions(folder, pair, start) for start in range(0, len(samples), len(samples) // dataset.n)]
    details = sample_details(samples, passes, replicas, references, lambda row: f"{subdivision(row)}_{row}")
    all_metrics = {**score.metrics, **metrics.others}
    write_results(score.path, all_metrics, score.own_section(), details if dump_details else None)
    shown = ", ".join(f"{name} {value:.2f}" for name, value in score.metrics.items())
    _log.info("%s/%s: %s", pair.model, pair.dataset, shown)
    return score


def _changes(
    pair: Pair, folder: RunFolder, dataset: DatasetSpec, data: LoadedDataset, rows: Sequence[PlannedRow]
) -> list[str]:
    """What is not as the run left it: the predictions file, and rows whose question or reference was another one."""
    found = [changed] if (changed := check_predictions(folder, pair)) else []
    numbers = changed_rows(folder, pair, dataset, data, rows)
    if numbers:
        named = ", ".join(map(str, numbers[:_NAMED]))
        more = f" and {len(numbers) - _NAMED} more" if len(numbers) > _NAMED else ""
        are = "row is not the one" if len(numbers) == 1 else "rows are not those"
        found.append(f"{len(numbers):,} {are} that the model was asked (row {named}{more}), the data were changed")
    return found


def _subdivision(dataset: DatasetSpec, data: LoadedDataset) -> Callable[[int], str]:
    """Names the part of the data that a row belongs to."""
    if "subdivision" not in data.test[0]:
        return lambda _row: dataset.abbr
    return lambda row: str(data.test[row].get("subdivision") or dataset.abbr)


def _question(data: LoadedDataset) -> Question | None:
    """Which question a row asks, where each is asked with its options in several orders."""
    if not {"qid", "circular_pattern"} <= data.test[0].keys():
        return None
    return lambda row: data.test[row]["qid"]


def _load(
    dataset: DatasetSpec, search_path: Sequence[str], limit: int | None
) -> tuple[LoadedDataset, Sequence[PlannedRow]]:
    try:
        data = load_dataset(dataset, tuple(search_path))
        return data, plan_rows(dataset, data, limit)
    except UserError as error:
        raise ScoreError(str(error)) from error


def _replicas(
    factory: EvaluatorFactory,
    samples: Samples,
    n: int,
    references: list[Any] | None,
    data: LoadedDataset,
    totals: Totals,
    judges: PairJudges,
) -> list[Replica]:
    """Evaluates each pass over the rows by itself, without the samples that had errors."""
    known_fields = {name for fields in samples.fields.values() for name in fields}
    replicas: list[Replica] = []
    for positions in _positions(samples, n):
        own = SampleView(samples, positions)
        golds = [references[position] for position in positions] if references is not None else None
        replicas.append(judged_replica(own, evaluate(factory, own, golds, data, known_fields, judges)))
    if not replicas:
        reason = next(iter(totals.errors.most_common(1)), "there are no samples")
        raise ScoreError(f"none of the {len(samples)} samples has an answer: {reason}")
    if not any(len(replica.samples) for replica in replicas):
        raise ScoreError("there is no verdict on any sample: the judge's answers cannot be read")
    return [replica for replica in replicas if len(replica.samples)]


def _positions(samples: Samples, n: int) -> Iterator[Sequence[int]]:
    """Where the samples of each pass over the rows stand that count; a range wherever that is all of them."""
    size = len(samples) // n
    for start in range(0, len(samples), size):
        every = range(start, start + size)
        counted = [position for position in every if samples.statuses[position].in_denominator]
        if counted:
            yield counted if len(counted) < size else every


def _more(replicas: Sequence[Replica], totals: Totals, libraries: dict[str, str]) -> dict[str, Any]:
    rules = Counter(rule for replica in replicas for rule in replica.rules if rule and rule not in NOT_FOUND)
    return {
        "rules": dict(rules.most_common()),
        **totals.to_json(),
        **({"replicas": [replica.metrics for replica in replicas]} if len(replicas) > 1 else {}),
        "versions": {"scorers": SCORERS_VERSION, "python": platform.python_version(), **libraries},
    }


def _counts(samples: Samples, replicas: Sequence[Replica]) -> SampleCounts:
    statuses = Counter(samples.statuses)
    rules = Counter(rule for replica in replicas for rule in replica.rules)
    no_verdict = sum(len(replica.unjudged) for replica in replicas)
    return SampleCounts(
        n=len(samples),
        counted=len(samples) - statuses[Status.ERROR] - no_verdict,
        no_verdict=no_verdict,
        errors=statuses[Status.ERROR],
        truncated=statuses[Status.TRUNCATED],
        filtered=statuses[Status.FILTERED],
        refused=statuses[Status.REFUSED],
        empty=statuses[Status.EMPTY],
        unparsed=rules[ExtractionStatus.UNPARSED],
        ambiguous=rules[ExtractionStatus.AMBIGUOUS],
        fallback=sum(count for rule, count in rules.items() if is_guess(rule)),
    )
