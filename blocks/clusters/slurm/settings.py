"""What a configuration says about jobs of Slurm."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True)
class SlurmSettings:
    """The fields of Slurm's runners; block and worker templates have them too."""

    max_num_workers: int = 32
    retry: int = 2
    """Resubmissions of a failed job."""
    partition: str | None = None
    quotatype: str | None = None
    """A quota class that some clusters' schedulers know."""
    qos: str | None = None
    extra_command: Sequence[str] = ()
    """Further options of the submission, e.g. `--time=4:00:00`."""
    submit_with: Literal["sbatch", "srun"] | None = None
    """None: sbatch, or srun where there is no sbatch. Jobs of srun end with the run and cannot be found again."""
    poll_interval: float = 5.0
    """Seconds between two questions for the states of all jobs."""
    debug: bool = False
