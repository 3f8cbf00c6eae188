"""What a configuration says about jobs of Slurm."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from blocks.clusters.settings import setting


@dataclass(frozen=True)
class SlurmSettings:
    """The fields of Slurm's runners."""

    max_num_workers: int = setting("Jobs that run at once.", 32, of_run=True, ge=1)
    retry: int = setting("Resubmissions of a failed job.", 2, of_run=True, ge=0)
    partition: str | None = setting("Slurm partition.", None)
    quotatype: str | None = setting("Quota class, where the scheduler knows them.", None)
    qos: str | None = setting("Quality of service.", None)
    extra_command: Sequence[str] = setting("Further options of the submission, e.g. `--time=4:00:00`.", ())
    submit_with: Literal["sbatch", "srun"] | None = None
    """None: sbatch, or srun where there is no sbatch. Jobs of srun end with the run and cannot be found again."""
    poll_interval: float = setting("Seconds between two questions for the states of all jobs.", 5.0, gt=0)
    debug: bool = False
