"""What `--dry-run` and `--config-verbose` show."""

from rich.syntax import Syntax
from tabulate import tabulate

from flows.output.console import out, say, show_findings
from tasks.plan.estimate import PairEstimate, estimate, judge_questions
from tasks.plan.run_plan import RunPlan
from tasks.plan.shards import shard_name
from tasks.spec.config.dump import dump_config
from tasks.spec.findings import FindingKind
from tasks.spec.storage.printable import counted


def show_config(plan: RunPlan) -> None:
    """The effective configuration, free of secrets."""
    text = dump_config(plan.values)
    out.print(Syntax(text, "python", line_numbers=True) if out.is_terminal else text, markup=False)


def show_plan(plan: RunPlan) -> int:
    """Every pair, the shards of all active stages, requests and prompt tokens; returns the exit status of a dry run."""
    _show_pairs(plan)
    if plan.runs("infer"):
        _show_tasks(
            "infer",
            plan.infer.task,
            plan.infer.max_num_workers,
            [shard_name(plan, shard) for shard in plan.infer_shards],
        )
    if plan.runs("eval"):
        names = [
            f"OpenICLEval[{','.join(f'{pair.model}/{pair.dataset}' for pair in batch)}]" for batch in plan.eval_batches
        ]
        _show_tasks("eval", plan.eval.task, plan.eval.max_num_workers, names)
        for judge, questions in judge_questions(plan).items():
            most = f"{_or_unknown(questions)} requests at most, and one more for each unreadable verdict"
            out.print(f"judge {judge}: {most}", markup=False)
    if plan.runs("viz"):
        out.print(f"viz: summary of {counted(len(plan.models), 'model')} and {counted(len(plan.datasets), 'dataset')}")
    show_findings(plan.findings)
    say("dry run: nothing was asked and nothing was written")
    return dry_run_status(plan)


def dry_run_status(plan: RunPlan) -> int:
    """2 for errors of the configuration; what this machine lacks does not count."""
    return 2 if any(finding.kind is FindingKind.CONFIG for finding in plan.findings) else 0


def _show_pairs(plan: RunPlan) -> None:
    estimates = [estimate(plan, pair) for pair in plan.pairs]
    priced = any(e.cost is not None for e in estimates)
    rows = [
        (
            pair.model.abbr,
            pair.dataset.abbr,
            _or_unknown(pair.samples),
            _or_unknown(e.requests),
            _or_unknown(e.prompt_tokens),
            *([_or_unknown(None if e.cost is None else f"{e.cost:.2f}")] if priced else []),
        )
        for pair, e in zip(plan.pairs, estimates, strict=True)
    ]
    headers = ("model", "dataset", "samples", "requests", "prompt tokens (estimated)", *(["maximum cost ($)"] * priced))
    out.print(tabulate(rows, headers=headers), markup=False)
    out.print(
        f"total: {_total(estimates, 'requests')} requests, about {_total(estimates, 'prompt_tokens')} prompt tokens"
        + (f", at most {_total_cost(estimates)} dollars" if priced else "")
        + "\n"
    )


def _total_cost(estimates: list[PairEstimate]) -> str:
    known = [e.cost for e in estimates if e.cost is not None]
    return f"{sum(known):.2f}" + (" + ?" if len(known) < len(estimates) else "")


def _show_tasks(stage: str, task: str, workers: int, names: list[str]) -> None:
    out.print(f"{stage}: {counted(len(names), 'task')} of {task}, {workers} at once")
    for name in names:
        out.print(f"  {name}", markup=False)


def _or_unknown(value: int | str | None) -> str:
    return "?" if value is None else str(value)


def _total(estimates: list[PairEstimate], name: str) -> str:
    values = [getattr(e, name) for e in estimates]
    known = sum(value for value in values if value is not None)
    return f"{known} + ?" if None in values else str(known)
