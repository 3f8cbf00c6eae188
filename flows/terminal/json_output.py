"""What `--json` prints: the outcome for programs."""

import json
from typing import Any

from flows.output.console import out
from flows.run.run import Run
from flows.terminal.plan_view import dry_run_status
from tasks.plan.estimate import estimate, judge_questions
from tasks.plan.run_plan import RunPlan
from tasks.plan.shards import shard_name
from tasks.report.summary.restrictions import limited_text, restriction_of
from tasks.report.summary.usage import Spent, judges_in, told_by, total
from tasks.score.files.results import OWN_KEY, read_results
from tasks.spec.findings import Finding, UserError
from tasks.spec.storage.run_folder import Pair, RunFolder


def print_outcome(run: Run) -> None:
    """One JSON object about a finished run: folder, exit status, a record per pair, files of the summary."""
    scores = [_scores(run.folder, plan.pair) for plan in run.plan.pairs]
    answers = [told_by(own, plan.model.prices) for plan, (_, own) in zip(run.plan.pairs, scores, strict=True)]
    judges = [spent for _, own in scores for _, spent in judges_in(own)]
    pairs = [
        _pair_outcome(run, plan.pair, metrics, own, spent)
        for plan, (metrics, own), spent in zip(run.plan.pairs, scores, answers, strict=True)
    ]
    summary = run.summary
    _print(
        {
            "run_folder": str(run.folder.root),
            "exit_status": run.exit_status,
            "pairs": pairs,
            "spent": _spent([*filter(None, answers), *judges]),
            "summary": {name: str(path) for name, path in summary.paths._asdict().items()} if summary else None,
            "station": _station(run),
            "findings": [_finding(finding) for finding in run.plan.findings],
        }
    )


def print_plan(plan: RunPlan) -> int:
    """One JSON object about what would be done, unknown numbers as null; returns the exit status of a dry run."""
    exit_status = dry_run_status(plan)
    pairs = [
        {
            "model": pair.model.abbr,
            "dataset": pair.dataset.abbr,
            "samples": pair.samples,
            "requests": (costs := estimate(plan, pair)).requests,
            "prompt_tokens": costs.prompt_tokens,
            "most_dollars": costs.cost,
        }
        for pair in plan.pairs
    ]
    _print(
        {
            "exit_status": exit_status,
            "pairs": pairs,
            "infer": [shard_name(plan, shard) for shard in plan.infer_shards] if plan.runs("infer") else [],
            "eval": [[f"{pair.model}/{pair.dataset}" for pair in batch] for batch in plan.eval_batches],
            "judge_requests": judge_questions(plan) if plan.runs("eval") else {},
            "findings": [_finding(finding) for finding in plan.findings],
        }
    )
    return exit_status


def print_errors(error: UserError) -> int:
    """One JSON object about input that cannot be used; returns its exit status."""
    _print({"exit_status": 2, "findings": [_finding(finding) for finding in error.findings]})
    return 2


def _station(run: Run) -> dict[str, Any] | None:
    kept = run.kept
    return {"name": kept.station, **kept.fates, "failure": kept.failure or None} if kept else None


def _pair_outcome(
    run: Run, pair: Pair, metrics: dict[str, float] | None, own: dict[str, Any], answers: Spent | None
) -> dict[str, Any]:
    return {
        "model": pair.model,
        "dataset": pair.dataset,
        "metrics": metrics,
        "samples": own.get("samples"),
        **({"changed": own["changed"]} if own.get("changed") else {}),
        **({"limited": limited_text(*limited)} if (limited := restriction_of(own)) else {}),
        "stderr": own.get("stderr"),
        "spent": answers.to_json() if answers else None,
        "spent_on_judges": _spent([spent for _, spent in judges_in(own)]),
        "failure": run.failures.get(pair),
        **({"from_station": True} if pair in run.plan.taken else {}),
    }


def _spent(parts: list[Spent]) -> dict[str, Any] | None:
    everything = total(parts)
    return everything.to_json() if everything else None


def _scores(folder: RunFolder, pair: Pair) -> tuple[dict[str, float] | None, dict[str, Any]]:
    try:
        results = read_results(folder.results(pair))
    except (OSError, ValueError):
        return None, {}
    metrics = {name: float(value) for name, value in results.items() if isinstance(value, int | float)}
    return metrics or None, results.get(OWN_KEY) or {}


def _finding(finding: Finding) -> dict[str, Any]:
    place = finding.place
    return {
        "kind": str(finding.kind),
        "message": finding.message,
        "file": place.file,
        "line": place.line,
        "key": place.key,
        "remedy": finding.remedy,
    }


def _print(value: dict[str, Any]) -> None:
    out.print(json.dumps(value, ensure_ascii=False, indent=2), markup=False)
