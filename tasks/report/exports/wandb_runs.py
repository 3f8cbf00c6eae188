"""Runs of Weights & Biases, one per model: https://docs.wandb.ai/ref/python/init"""

import glob
from collections.abc import Sequence
from pathlib import Path

from tasks.report.exports.tracking import TrackedRun
from tasks.spec.findings import Finding, UserError


def log_to_wandb(runs: Sequence[TrackedRun], files: Sequence[Path], *, project: str, folder: Path) -> list[str]:
    """Logs scores, settings and files; a run that was exported before is brought up to date. Returns their ids.

    With WANDB_MODE=offline they lie below `folder` until `wandb sync`. UserError if the package is missing, or the
    service refuses.
    """
    try:
        import wandb
    except ImportError as error:
        remedy = "pip install 'compass-llm-eval[wandb]'"
        raise UserError(Finding(f"Weights & Biases needs the package {error.name or error}", remedy=remedy)) from error
    folder.mkdir(parents=True, exist_ok=True)
    settings = wandb.Settings(silent=True, console="off", disable_git=True, save_code=False)
    try:
        for run in runs:
            with wandb.init(
                project=project,
                id=run.key,
                resume="allow",
                name=run.name,
                group=run.group,
                config=dict(run.settings),
                dir=folder,
                settings=settings,
            ) as tracked:
                tracked.summary.update(dict(run.metrics))
                for path in files:
                    tracked.save(glob.escape(str(path)), base_path=str(path.parent), policy="now")
        wandb.teardown()  # what is still in the helper's memory reaches the disk
    except wandb.Error as error:
        raise UserError(f"Weights & Biases: {str(error).splitlines()[0]}") from error
    return [run.key for run in runs]
