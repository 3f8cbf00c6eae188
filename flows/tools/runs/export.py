"""`compass export`: a run in the formats of other programs."""

import argparse
import shutil
from collections.abc import Callable, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from flows.output.console import say
from flows.preparation.saved_run import run_to_report
from flows.run.summary import RunToReport
from flows.tools.runs.run_choice import add_run_arguments, chosen_run
from tasks.report.exports.lm_eval import write_lm_eval
from tasks.report.exports.mlflow_runs import log_to_mlflow
from tasks.report.exports.sample_rows import sample_rows, write_csv, write_parquet
from tasks.report.exports.tracking import tracked_runs
from tasks.report.exports.wandb_runs import log_to_wandb
from tasks.report.summarize import summarize
from tasks.spec.findings import UserError
from tasks.spec.storage.run_folder import timestamp

_TABLES = ("latex", "xlsx")
_SAMPLES: dict[str, Callable[..., int]] = {"csv": write_csv, "parquet": write_parquet}
_TRACKERS = ("mlflow", "wandb")
FORMATS = (*_SAMPLES, "lm-eval", *_TABLES, *_TRACKERS)


def main(argv: Sequence[str]) -> int:
    """Writes what was asked for and says where it lies."""
    parser = argparse.ArgumentParser(
        prog="compass export",
        description="csv, parquet: one row per sample. lm-eval: results and samples as lm-evaluation-harness writes "
        "them, one folder per model. latex, xlsx: the summary. mlflow, wandb: scores and settings, one run per model.",
    )
    add_run_arguments(parser)
    parser.add_argument(
        "-f", "--format", "--to", choices=FORMATS, default="csv", help="%(choices)s (%(default)s)", metavar="F"
    )
    parser.add_argument(
        "-o",
        "--out",
        metavar="PATH",
        help="file; folder for lm-eval; tracking URI of MLflow (default: in the run folder)",
    )
    parser.add_argument(
        "--project", default="compass", metavar="NAME", help="of wandb; experiment of mlflow (%(default)s)"
    )
    parser.add_argument("--model", default="*", metavar="PATTERN", help="only these models")
    parser.add_argument("--dataset", default="*", metavar="PATTERN", help="only these datasets")
    arguments = parser.parse_args(argv)
    run = _chosen(run_to_report(chosen_run(arguments)), arguments.model, arguments.dataset)
    if arguments.format in _TRACKERS:
        _track(run, arguments.format, arguments.project, arguments.out)
        return 0
    target = Path(arguments.out).expanduser() if arguments.out else None
    if arguments.format in _SAMPLES:
        _export_samples(run, arguments.format, target or run.folder.root / "export" / f"samples.{arguments.format}")
    elif arguments.format == "lm-eval":
        written = write_lm_eval(
            run.models, run.datasets, run.folder, target or run.folder.root / "export" / "lm-eval", pairs=run.pairs
        )
        if not written:
            raise UserError("there are no results to export")
        for path in written:
            say(f"written: {path}")
    else:
        _export_table(run, arguments.format, target)
    return 0


def _chosen(run: RunToReport, model: str, dataset: str) -> RunToReport:
    models = [spec for spec in run.models if fnmatchcase(spec.abbr, model)]
    datasets = [spec for spec in run.datasets if fnmatchcase(spec.abbr, dataset)]
    if not models or not datasets:
        raise UserError("the run has no such models and datasets")
    pairs = [pair for pair in run.pairs if fnmatchcase(pair.model, model) and fnmatchcase(pair.dataset, dataset)]
    return run._replace(models=models, datasets=datasets, pairs=pairs)


def _track(run: RunToReport, tracker: str, project: str, address: str | None) -> None:
    runs = tracked_runs(run.models, run.datasets, run.folder, run.pairs)
    if not runs:
        raise UserError("there are no results to export")
    newest = max(run.folder.summary.glob("summary_*.txt"), key=lambda path: path.stat().st_mtime_ns, default=None)
    files = sorted(run.folder.summary.glob(f"{newest.stem}*")) if newest else []
    if tracker == "mlflow":
        ids = log_to_mlflow(runs, files, experiment=project, address=address)
    else:
        ids = log_to_wandb(runs, files, project=project, folder=Path(address or run.folder.root / "export"))
    for tracked, run_id in zip(runs, ids, strict=True):
        say(f"{tracker}: {tracked.name}: run {run_id} of {project}")


def _export_samples(run: RunToReport, kind: str, path: Path) -> None:
    repeats = {dataset.abbr: dataset.n for dataset in run.datasets}
    count = _SAMPLES[kind](path, sample_rows(run.folder, {pair: repeats[pair.dataset] for pair in run.pairs}))
    say(f"{count} samples: {path}")


def _export_table(run: RunToReport, kind: str, target: Path | None) -> None:
    config = (run.summarizer or {}) | {"formats": [kind]}
    parts = (run.models, run.datasets, run.folder, config)
    summary = summarize(*parts, time=timestamp(), search_path=run.search_path, pairs=run.pairs)
    path = next(path for path in summary.more if path.suffix == {"latex": ".tex", "xlsx": ".xlsx"}[kind])
    if target is not None:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.move(path, target)
    say(f"written: {target or path}")
